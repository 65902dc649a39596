import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitFor } from '@procurement/testing/wait-for';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

/** What the sockets between the gateway and a client that reads nothing do not hold. */
const LARGER_THAN_BUFFERS = 14_000_000;
/** Equal reads of one turn would be one at the service. */
const TENDERS = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const COSTLY = [
  ['indented', (id: string) => `/api/2.5/tenders/${id}?opt_pretty=1`],
  ['wrapped', (id: string) => `/api/2.5/tenders/${id}?opt_jsonp=show`],
  ['of an older segment', (id: string) => `/api/0.1/tenders/${id}`],
  ['of a part, in an older segment', (id: string) => `/api/2.3/tenders/${id}/bids`],
] as const;

const gateway = setupGateway({ RATE_READS_PER_SECOND: '10', TRUSTED_PROXIES: '127.0.0.1' });
const send = requestsTo(gateway);
/** A read of a client at an address of its own, as its reverse proxy passes it on. */
const sendFrom = async (address: string, path: string) => send(path, { headers: { 'x-forwarded-for': address } });

/** Answers that the services have not given yet. */
let held: ServerResponse[];
beforeEach(() => {
  held = [];
  gateway().tenders.respond = (_received, response) => void held.push(response);
  gateway().bids.respond = gateway().tenders.respond;
});

function answerOne(title: string): void {
  const response = held.shift();
  if (response === undefined) throw new Error('no read has reached a service');
  sendJson(response, 200, JSON.stringify({ data: { title } }));
}
const onTheWay = async (count: number) =>
  waitFor(() => held.length === count, { what: `${count} reads at the services` });

describe('a costly read', () => {
  it.each(COSTLY)(
    'waits while two of its client are on the way, and holds up nobody else: %s',
    async (what, pathOf) => {
      const address = `192.0.2.${COSTLY.findIndex(([name]) => name === what) + 1}`;
      const reads = TENDERS.map(async (id) => sendFrom(address, pathOf(id)));
      await onTheWay(2);
      const other = sendFrom('198.51.100.7', pathOf('d'.repeat(32)));
      await onTheWay(3);
      for (let n = 0; n < 3; n += 1) answerOne('x');
      await onTheWay(1);
      answerOne('x');
      expect((await Promise.all([...reads, other])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    },
  );

  it('is refused when the answers before it have left its client in debt', async () => {
    const reads = TENDERS.map(async (id) => sendFrom('192.0.2.9', `/api/2.5/tenders/${id}?opt_jsonp=show`));
    await onTheWay(2);
    for (let n = 0; n < 2; n += 1) answerOne('x'.repeat(1_000_000));
    const answers = await Promise.all(reads);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^[12]$/);
  });

  it('of a key counts for the address that it comes from', async () => {
    const headers = (address: string) => ({ ...basic('broker1'), 'x-forwarded-for': address });
    const reads = ['192.0.2.11', '192.0.2.12'].flatMap((address) =>
      TENDERS.map(async (id) => send(`/api/0.1/tenders/${id}`, { headers: headers(address) })),
    );
    await onTheWay(4);
    for (let n = 0; n < 4; n += 1) answerOne('x');
    await onTheWay(2);
    for (let n = 0; n < 2; n += 1) answerOne('x');
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it('leaves its place when its answer is ready, however slowly its client takes it', async () => {
    const address = '192.0.2.13';
    const { charge } = gateway().deps.rateLimit;
    // What a large answer counts would refuse the third.
    Object.assign(gateway().deps.rateLimit, { charge: () => undefined });
    const slow = TENDERS.slice(0, 2).map((id) => {
      const socket = connect(Number(new URL(gateway().url).port), '127.0.0.1').pause();
      socket.write(
        `GET /api/2.5/tenders/${id}?opt_jsonp=show HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`,
      );
      return socket;
    });
    await onTheWay(2);
    for (let n = 0; n < 2; n += 1) answerOne('x'.repeat(LARGER_THAN_BUFFERS));
    const other = sendFrom(address, `/api/2.5/tenders/${TENDERS[2]}?opt_jsonp=show`);
    await onTheWay(1);
    answerOne('x');
    expect((await other).status).toBe(200);
    Object.assign(gateway().deps.rateLimit, { charge });
    for (const socket of slow) socket.destroy();
  });

  it('is not a plain read: all of a client are on the way at once', async () => {
    const reads = TENDERS.map(async (id) => sendFrom('192.0.2.10', `/api/2.5/tenders/${id}`));
    await onTheWay(3);
    for (let n = 0; n < 3; n += 1) answerOne('x');
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
