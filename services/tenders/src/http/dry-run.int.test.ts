import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { tableContents } from '@procurement/testing/table-contents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
const contents = async () => tableContents(running.database.pool);
const seller = signedIdentity({ broker: 'seller' });

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

/** The answer without what may differ: ids, tokens, and dates of the moment. */
function comparable({ statusCode, headers, body }: Awaited<ReturnType<typeof send>>): unknown {
  const text = body.replaceAll(/[0-9a-f]{32,64}|UA-[\d-]+|\d{4}-\d\d-\d\dT[\d:.]+\+\d\d:\d\d/g, '*');
  return { statusCode, text, names: Object.keys(headers).filter((name) => name !== 'content-length') };
}

describe('a write with opt_dry_run', () => {
  it.each([
    ['POST', '', { title: 'Питання', author: AUTHOR }, '/questions', seller],
    ['POST', '', { title: 'Вимога', author: AUTHOR }, '/complaints', seller],
    ['POST', '', { title: 'Лот', value: { amount: 5 }, minimalStep: { amount: 1 } }, '/lots', undefined],
    ['PATCH', '', { title: 'Інша' }, '', undefined],
    ['PUT', '', validTender({ title: 'Ще інша' }), '', undefined],
    ['PATCH', '', { title: '' }, '', undefined],
    ['PATCH', '', {}, '', undefined],
  ] as const)(
    '%s %s%j is answered as if done, and changes nothing',
    async (method, _path, data, collection, caller) => {
      const { id, owner } = await created();
      const before = await contents();
      const url = `/tenders/${id}${collection}`;
      const dry = await send(method, `${url}?opt_dry_run=1`, caller ?? owner, data);
      expect(await contents()).toEqual(before);
      const real = await send(method, url, caller ?? owner, data);
      expect(comparable(dry)).toEqual(comparable(real));
    },
  );

  it('creates no tender and draws no number', async () => {
    const parseSerial = (tender: { readonly tenderID: string }) => Number(tender.tenderID.slice(-6));
    const first = await created();
    const before = await contents();
    const dry = await send('POST', '/tenders?opt_dry_run=1', signedIdentity(), validTender());
    expect(await contents()).toEqual(before);
    const next = await created();
    expect(parseSerial(next.data)).toBe(parseSerial(first.data) + 1);
    expect(comparable(dry)).toEqual(comparable(next.answer));
    expect((await send('GET', `/tenders/${dry.json().data.id}`, anonymousIdentity())).statusCode).toBe(404);
  });

  it('cancels no tender, and answers the cancellation', async () => {
    const { id, owner } = await created();
    const before = await contents();
    const dry = await send('POST', `/tenders/${id}/cancellations?opt_dry_run=1`, owner, {
      reason: 'x',
      status: 'active',
    });
    expect([dry.statusCode, dry.json().data.status, await contents()]).toEqual([201, 'active', before]);
  });

  it('moves no clock, and answers the tender after it', async () => {
    const { id, owner } = await created();
    const before = await contents();
    const dry = await send('POST', `/sandbox/tenders/${id}/clock?opt_dry_run=1`, owner, { to: 'next_check' });
    expect([dry.statusCode, dry.json().data.status, await contents()]).toEqual([200, 'active.tendering', before]);
  });

  it('makes no transfer, and takes none over', async () => {
    const { id, answer } = await created();
    const before = await contents();
    const dry = await send('POST', '/transfers?opt_dry_run=1', seller, {});
    expect([dry.statusCode, await contents()]).toEqual([201, before]);
    const { data } = (await send('POST', '/transfers', seller, {})).json();
    const made = await contents();
    const owned = await send('POST', `/tenders/${id}/ownership?opt_dry_run=1`, seller, {
      id: data.id,
      transfer: answer.json().access.transfer,
    });
    expect([owned.statusCode, await contents()]).toEqual([expect.any(Number), made]);
  });

  it('follows If-Match', async () => {
    const { id, owner } = await created();
    const headers = { ...owner, 'if-match': '"9-2.5"' };
    expect((await send('PATCH', `/tenders/${id}?opt_dry_run=1`, headers, { title: 'x' })).statusCode).toBe(412);
  });
});
