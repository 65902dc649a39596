import { beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '@procurement/testing/wait-for';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

const gateway = setupGateway();
const request = requestsTo(gateway);

const tender = `/api/2.5/tenders/${'a'.repeat(32)}`;

/** Answers of the service, each with what was stored when its request came. Sent when the test calls them. */
let gates: (() => void)[] = [];
let stored = 0;
beforeEach(() => {
  [gates, stored] = [[], 0];
  gateway().tenders.respond = (_received, response) => {
    const text = `{"data":{"stored":${stored}}}`;
    gates.push(() => sendJson(response, 200, text, { etag: `"${stored}-2.5"` }));
  };
});

const reachesService = async (count: number): Promise<unknown> =>
  waitFor(() => gates.length === count, { what: `${count} requests to the service` });

/** Sends requests, and resolves when the gateway has looked at all of them. */
async function sendAll(inits: readonly RequestInit[]): Promise<readonly Promise<Response>[]> {
  let seen = 0;
  const count = (): void => void (seen += 1);
  gateway().app.server.on('request', count);
  const answers = inits.map(async (init) => request(tender, init));
  await waitFor(() => seen === inits.length, { what: 'requests at the gateway' });
  gateway().app.server.off('request', count);
  return answers;
}

describe('reads of one tender, without a key', () => {
  it('that come while one runs share a request that begins later, and have headers of their own', async () => {
    const first = request(tender);
    await reachesService(1);
    stored = 1;
    const later = await sendAll(['a', 'b', 'c'].map((id) => ({ headers: { 'x-client-request-id': id } })));
    gates[0]?.();
    expect(await (await first).json()).toEqual({ data: { stored: 0 } });
    await reachesService(2);
    gates[1]?.();
    const answers = await Promise.all(later);
    expect(answers.map(({ headers }) => headers.get('x-client-request-id'))).toEqual(['a', 'b', 'c']);
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
    for (const answer of answers) expect(await answer.json()).toEqual({ data: { stored: 1 } });
    expect(gateway().tenders.received).toHaveLength(2);
  });

  it.each<[string, Record<string, string>]>([
    ['a key', basic('broker1')],
    ['a condition', { 'if-none-match': '"0-2.5"' }],
    ['another Accept', { accept: 'text/plain' }],
  ])('share nothing with those that have %s', async (_what, headers) => {
    const pending = [...(await sendAll([{}])), ...(await sendAll([{ headers }]))];
    await reachesService(2);
    for (const open of gates) open();
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('share nothing with another query or segment', async () => {
    const paths = [tender, `${tender}?opt_fields=public_modified`, tender.replace('2.5', '2.3')];
    const pending = paths.map(async (path) => request(path));
    await reachesService(3);
    for (const open of gates) open();
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('with keys are requests of their own, so that each can be recorded', async () => {
    const pending = await sendAll([{ headers: basic('broker1') }, { headers: basic('broker1') }]);
    await reachesService(2);
    for (const open of gates) open();
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('do not end when one of those who share leaves', async () => {
    const first = request(tender);
    await reachesService(1);
    const leaving = new AbortController();
    const [left, stays] = await sendAll([{ signal: leaving.signal }, {}]);
    const ended = left?.catch((error: Error) => error.name);
    leaving.abort();
    expect(await ended).toBe('AbortError');
    gates[0]?.();
    await first;
    await reachesService(2);
    gates[1]?.();
    expect((await stays)?.status).toBe(200);
  });
});
