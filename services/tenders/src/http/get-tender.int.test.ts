import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

describe('GET /tenders/:tender_id', () => {
  it('200: answers the same view and the same ETag to every caller', async () => {
    const { id, data } = await created();
    const answer = await send('GET', `/tenders/${id}`, anonymousIdentity());
    expect(answer.json().data).toEqual(data);
    expect(answer.headers.etag).toBe('"1-2.5"');
    expect(
      (await send('GET', `/tenders/${id}`, { ...anonymousIdentity(), 'if-none-match': '"1-2.3"' })).statusCode,
    ).toBe(304);
    expect((await send('GET', `/tenders/${id}`, signedIdentity())).headers.etag).toBe('"1-2.5"');
  });

  it('200: adds public_modified on request', async () => {
    const { id, data } = await created();
    const answer = await send('GET', `/tenders/${id}?opt_fields=public_modified`, anonymousIdentity());
    expect(answer.json().data.public_modified * 1_000).toBeCloseTo(Date.parse(data.dateModified), -1);
  });

  it.each(['x', '0'.repeat(32), `${'0'.repeat(31)}%20`])('404: %s', async (id) => {
    const answer = await send('GET', `/tenders/${id}`, anonymousIdentity());
    expect([answer.statusCode, answer.json().errors]).toMatchObject([
      404,
      [{ location: 'url', name: 'tender_id', description: 'Not Found' }],
    ]);
  });
});

describe('DELETE /tenders/:tender_id', () => {
  it('405: names the allowed methods; a missing tender is 404 first', async () => {
    const { id } = await created();
    const answer = await send('DELETE', `/tenders/${id}`, anonymousIdentity());
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH']);
    expect((await send('DELETE', '/tenders/none', anonymousIdentity())).statusCode).toBe(404);
  });
});

describe('GET and PATCH /tenders/:tender_id by the chronograph', () => {
  const chronograph = signedIdentity({ broker: 'clock', group: 'chronograph' });

  it('200: answers its own view; a PATCH without members changes nothing that is not due', async () => {
    const { id } = await created();
    const { data } = (await send('GET', `/tenders/${id}`, chronograph)).json();
    expect(Object.keys(data).sort()).toEqual(['enquiryPeriod', 'id', 'numberOfBids', 'status', 'tenderPeriod']);
    const before = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
    const ticked = await send('PATCH', `/tenders/${id}`, chronograph, { id });
    expect([ticked.statusCode, ticked.json()]).toEqual([200, before]);
    expect((await send('GET', `/tenders/${id}`, chronograph)).headers.etag).toBeUndefined();
  });
});
