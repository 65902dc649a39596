import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { encodeReads, FrameReader, READS_PATH } from '@procurement/kit/http/read-frames';
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

  it('200: reads of tenders and of the feed that come together are answered together', async () => {
    const { id } = await created();
    const identity = anonymousIdentity()[IDENTITY_HEADER] ?? '';
    const targets = [
      `/tenders/${id}`,
      '/tenders?mode=_all_&limit=1',
      `/tenders/${'0'.repeat(32)}`,
      `/tenders/${id}/lots`,
    ];
    const reads = targets.map((target) => ({ target, identity, requestId: 'r', traceparent: '' }));
    const headers = { ...anonymousIdentity(), 'content-type': 'application/json' };
    const payload = encodeReads(reads);
    const answer = await running.app.inject({ method: 'POST', url: READS_PATH, headers, payload });
    const got: unknown[] = [];
    let text = '';
    new FrameReader(({ index, status, revision }, bytes, isEnd) => {
      text += bytes.toString();
      if (!isEnd) return;
      got[index] = [status, revision, text];
      text = '';
    }).read(answer.rawPayload);
    const alone = async (url: string) => (await send('GET', url, anonymousIdentity())).payload;
    expect(got).toEqual([
      [200, 1, await alone(`/tenders/${id}`)],
      [200, 0, await alone('/tenders?mode=_all_&limit=1')],
      [404, 0, await alone(`/tenders/${'0'.repeat(32)}`)],
      [404, 0, expect.stringContaining('Not Found')],
    ]);
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
