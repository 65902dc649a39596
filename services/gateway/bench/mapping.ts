import { readFileSync } from 'node:fs';
import { toJsonText } from '@procurement/domain/json-text';
import { codecOf, generations, routeOf } from '../test-support/generations.ts';

// CPU time of mapping one tender from the bytes of the service to the bytes for the client, without HTTP and without the cache of
// mapped responses: npx tsx --conditions=source services/gateway/bench/mapping.ts

const MEASURE_MS = 1_000;
const BIDS = [0, 2, 50];

/** The tender of the fixtures with a number of minimal bids. */
function tenderBytes(bids: number): Buffer {
  const fixture = new URL('../src/generations/fixtures/tender.canonical.json', import.meta.url);
  const { bids: fixtureBids, contracts: _contracts, ...tender } = JSON.parse(readFileSync(fixture, 'utf8'));
  const { documents: _documents, parameters: _parameters, ...bid } = fixtureBids[0];
  return Buffer.from(toJsonText({ data: { ...tender, bids: Array.from({ length: bids }, () => bid) } }));
}

/** CPU time of one run in microseconds: other load on the machine affects it less than wall time. */
function cpuMicroseconds(act: () => unknown): number {
  const runUntil = (end: number): number => {
    let runs = 0;
    for (; performance.now() < end; runs += 1) act();
    return runs;
  };
  runUntil(performance.now() + MEASURE_MS / 2);
  const before = process.cpuUsage();
  const runs = runUntil(performance.now() + MEASURE_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}

const route = routeOf('tender');
for (const bids of BIDS) {
  const received = tenderBytes(bids);
  const costs = generations.map((generation) => {
    const codec = codecOf(generation);
    const map = (): Buffer =>
      Buffer.from(codec.encodeResponse({ route, status: 200, query: '' }, received.toString('latin1')), 'latin1');
    return `${generation} ${cpuMicroseconds(map).toFixed(1)} µs`;
  });
  const parsed = cpuMicroseconds(() => Buffer.from(toJsonText(JSON.parse(received.toString('utf8')))));
  const size = `${(received.length / 1024).toFixed(1)} KB, ${bids} bids`;
  process.stdout.write(`${size}: ${costs.join(', ')}; parsed and serialized ${parsed.toFixed(1)} µs\n`);
}
