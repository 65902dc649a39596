import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { decodeReads, encodeHead } from '@procurement/kit/http/read-frames';
import { expect, it } from 'vitest';

const CONNECTIONS = 16;
const READS_OF_CONNECTION = 400;
/** A read allocates some 20 KB. While tables of V8 kept ended requests alive, 12 KB of it were promoted. */
const PROMOTED_BYTES_MAX = 1_500;

/**
 * Whether a process promotes everything or nothing is decided by chance at its start: with `once` on each response four of six did, without it
 * none of 40 on Node 20, and one of 22 on Node 24. So three processes that promote much are a fault, unless five before them do not.
 */
const [MANY_MAX, FEW_ENOUGH] = [2, 5];

/**
 * What keeps ended reads alive is an old table that V8 has replaced: it points to the next, and lives until a full collection. A set and a map
 * have a new table after a few deletions. `once` on each response does the same, probably because it deletes a listener; `on` does not.
 */
it('ended reads keep nothing alive: V8 promotes nearly nothing of what they allocate', async () => {
  const tenders = createServer((request, response) => {
    void buffer(request).then((body) => {
      const bytes = Buffer.from(JSON.stringify({ data: { title: 'x'.repeat(5_000) } }));
      const answer = { isLast: true, status: 200, revision: 1, retryAfter: 0, length: bytes.length };
      const reads = decodeReads(body) ?? [];
      response.end(Buffer.concat(reads.flatMap((_read, index) => [encodeHead({ index, ...answer }), bytes])));
    });
  }).listen(0, '127.0.0.1');
  await once(tenders, 'listening');
  // The address of a listening TCP server.
  const { port } = tenders.address() as AddressInfo;
  const [few, many]: [number[], number[]] = [[], []];
  try {
    while (few.length < FEW_ENOUGH && many.length <= MANY_MAX) {
      const bytes = await promotedOfRead(`http://127.0.0.1:${port}`);
      (bytes < PROMOTED_BYTES_MAX ? few : many).push(bytes);
    }
  } finally {
    tenders.closeAllConnections();
    tenders.close();
  }
  expect(many.length, `bytes of a read: ${many.join(', ')}`).toBeLessThanOrEqual(MANY_MAX);
});

/** Returns the bytes that V8 promotes for a read in a gateway of its own. */
async function promotedOfRead(tendersUrl: string): Promise<number> {
  const file = fileURLToPath(new URL('../../test-support/gateway-process.ts', import.meta.url));
  // A small young generation: with `once` half of all processes began such a chain, with the usual 16 MB a fifth.
  const execArgv = ['--import', 'tsx', '--conditions=source', '--max-semi-space-size=4'];
  const gateway = fork(file, [tendersUrl], { execArgv });
  try {
    const [url] = await once(gateway, 'message');
    const promotedBytes = async (): Promise<number> => {
      gateway.send('promoted');
      const [bytes] = await once(gateway, 'message');
      return Number(bytes);
    };
    await readAll(String(url));
    await promotedBytes();
    // The least of two rounds: on a busy machine reads wait, and a collection finds them alive.
    const rounds: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await readAll(String(url));
      rounds.push((await promotedBytes()) / (CONNECTIONS * READS_OF_CONNECTION));
    }
    return Math.min(...rounds);
  } finally {
    gateway.kill('SIGKILL');
  }
}

/** Reads different tenders by connections that are kept. */
async function readAll(url: string): Promise<void> {
  const port = Number(new URL(url).port);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      for (let n = 0; n < READS_OF_CONNECTION; n += 1) {
        socket.write(`GET /api/2.5/tenders/${connection}-${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
        for (let end = ''; !end.endsWith('"}}');) end = String((await once(socket, 'data'))[0]);
      }
      socket.destroy();
    }),
  );
}
