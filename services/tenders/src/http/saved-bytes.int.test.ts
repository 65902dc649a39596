import { AUTHOR } from '@procurement/testing/bodies';
import { signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
const seller = signedIdentity({ broker: 'seller' });
/** A letter of the text has two bytes in UTF-8. */
const TEXT_BYTES = 60_000;

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

describe('x-work-bytes, by which the gateway charges a write', () => {
  it('is that of the whole tender, whatever of it is changed, or would be', async () => {
    const { id, owner } = await created();
    const text = 'я'.repeat(TEXT_BYTES / 2);
    expect((await send('PUT', `/tenders/${id}`, owner, validTender({ description: text }))).statusCode).toBe(200);
    const question = await send('POST', `/tenders/${id}/questions`, seller, { title: 'Питання', author: AUTHOR });
    const answered = await send('PATCH', `/tenders/${id}/questions/${question.json().data.id}`, owner, {
      answer: 'Так',
    });
    const patched = await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' });
    const tried = await send('PATCH', `/tenders/${id}?opt_dry_run=1`, owner, { title: 'Третя' });
    const answers = [question, answered, patched, tried].map(({ statusCode, headers }) => [
      statusCode,
      Number(headers['x-work-bytes']) > TEXT_BYTES,
    ]);
    expect(answers).toEqual([
      [201, true],
      [200, true],
      [200, true],
      [200, true],
    ]);
  });

  it('is not there where a tender is small', async () => {
    const { id, owner } = await created();
    const { statusCode, headers } = await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' });
    expect([statusCode, headers['x-work-bytes']]).toEqual([200, undefined]);
  });
});
