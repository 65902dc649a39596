import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

const gateway = setupGateway();
const tender = `/api/2.5/tenders/${'a'.repeat(32)}`;

beforeEach(() => {
  gateway().tenders.respond = ({ url }, response) =>
    sendJson(response, 200, JSON.stringify({ data: { url } }), { etag: '"3-2.5"' });
});

type Asked = readonly [path: string, headers?: Readonly<Record<string, string>>];

/** Sends requests on one connection at once, so that the gateway reads them in one turn of its event loop. Answers what it sends back. */
async function sendAtOnce(asked: readonly Asked[]): Promise<string> {
  const socket = connect(Number(new URL(gateway().url).port), '127.0.0.1');
  const texts = asked.map(([path, headers = {}], n) => {
    const all = { host: 'x', ...headers, ...(n === asked.length - 1 ? { connection: 'close' } : {}) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  });
  socket.write(texts.join(''));
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  return received;
}

describe('reads of one turn', () => {
  it('of one tender without a key are one read of the service, and have headers of their own', async () => {
    const text = await sendAtOnce(['one', 'two'].map((id) => [tender, { 'x-client-request-id': id }]));
    expect(text.match(/^X-Client-Request-Id: \w+/gim)).toEqual([
      'x-client-request-id: one',
      'x-client-request-id: two',
    ]);
    expect(new Set(text.match(/^x-request-id: .+/gm)).size).toBe(2);
    expect(text.match(/^etag: "3-2.5"/gm)).toHaveLength(2);
    expect(gateway().tenders.received).toHaveLength(1);
  });

  it.each<[string, Asked, Asked]>([
    ['a key, so that each could be recorded', [tender, basic('broker1')], [tender, basic('broker1')]],
    ['another condition', [tender], [tender, { 'if-none-match': '"1-2.5"' }]],
    ['another query', [tender], [`${tender}?opt_fields=public_modified`]],
    ['another segment', [tender], [tender.replace('2.5', '2.3')]],
    ['another tender', [tender], [tender.replace('aa', 'bb')]],
  ])('share nothing with those that have %s', async (_what, one, other) => {
    const text = await sendAtOnce([one, other]);
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(gateway().tenders.received).toHaveLength(2);
  });

  it('have identities of their own', async () => {
    await sendAtOnce([[tender], [tender, basic('broker1')], [`${tender.replace('2.5', '2.3')}`]]);
    const identities = gateway().tenders.received.map(({ identity }) => [identity?.broker, identity?.segment]);
    expect(identities).toHaveLength(3);
    expect(identities).toEqual(
      expect.arrayContaining([
        ['broker1', '2.5'],
        [undefined, '2.3'],
        [undefined, '2.5'],
      ]),
    );
  });
});
