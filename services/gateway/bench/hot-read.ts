import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { decodeReads, encodeHead, READS_PATH } from '@procurement/kit/http/read-frames';
import autocannon from 'autocannon';
import { runningGateway } from '../test-support/running-gateway.ts';

// Compares reading a tender together with others (HOT_READS=dispatch) and by the proxy plugin, alternated within one run, so that other load
// on the machine affects both alike: npx tsx --conditions=source services/gateway/bench/hot-read.ts
// Rulings R19 keeps the direct path while it is at least 15 % faster (decision 0011).

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 32;
const PATHS = { 'segment 2.5': '/api/2.5/tenders/x', 'segment 2.3': '/api/2.3/tenders/x' } as const;

const [role, upstream] = process.argv.slice(2);
if (role === 'service') await serve();
else if (role === 'dispatch' || role === 'proxy') await serveGateway(role, upstream ?? '');
else await compare();

/** A constant tender of the usual size. */
function tenderText(): string {
  const fixture = readFileSync(new URL('../src/generations/fixtures/tender.canonical.json', import.meta.url), 'utf8');
  const { bids: _bids, awards: _awards, documents: _documents, contracts: _contracts, ...tender } = JSON.parse(fixture);
  return JSON.stringify({ data: tender });
}

async function serve(): Promise<void> {
  const body = Buffer.from(tenderText());
  const headers = { 'content-type': 'application/json; charset=UTF-8', 'content-length': body.length, etag: '"1-2.5"' };
  const answer = { isLast: true, status: 200, revision: 1, retryAfter: 0, length: body.length };
  const answerReads = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reads = decodeReads(await buffer(request)) ?? [];
    response.end(Buffer.concat(reads.flatMap((_read, index) => [encodeHead({ index, ...answer }), body])));
  };
  const server = createServer((request, response) => {
    if (request.url === READS_PATH) void answerReads(request, response);
    else response.writeHead(200, headers).end(body);
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 72_000;
  await once(server, 'listening');
  // The address of a listening TCP server.
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function serveGateway(hotReads: string, tendersUrl: string): Promise<void> {
  const gateway = await runningGateway({ TENDERS_URL: tendersUrl, HOT_READS: hotReads });
  // The recording log of the tests would grow without bound.
  gateway.accessLog.push = () => 0;
  process.send?.(gateway.url);
}

async function start(...args: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(new URL(import.meta.url), args, { execArgv: ['--import', 'tsx', '--conditions=source'] });
  const [url] = await once(child, 'message');
  return { url: String(url), child };
}

async function rate(url: string, duration: number): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

async function compare(): Promise<void> {
  const service = await start('service');
  const [dispatch, proxy] = [await start('dispatch', service.url), await start('proxy', service.url)];
  process.stdout.write(
    `tender of ${tenderText().length} characters, ${CONNECTIONS} connections, median of ${ROUNDS} x ${SECONDS} s\n`,
  );
  process.stdout.write(`direct       ${Math.round(await rate(service.url, SECONDS))}/s\n`);
  for (const [name, path] of Object.entries(PATHS)) {
    const rates: Record<'dispatch' | 'proxy', number[]> = { dispatch: [], proxy: [] };
    for (const { url } of [dispatch, proxy]) await rate(url + path, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.dispatch.push(await rate(dispatch.url + path, SECONDS));
      rates.proxy.push(await rate(proxy.url + path, SECONDS));
    }
    const [short, long] = [median(rates.dispatch), median(rates.proxy)];
    process.stdout.write(
      `${name}  dispatch ${Math.round(short)}/s  http-proxy ${Math.round(long)}/s  ratio ${(short / long).toFixed(2)}\n`,
    );
  }
  for (const { child } of [service, dispatch, proxy]) child.kill();
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
