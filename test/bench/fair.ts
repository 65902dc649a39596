import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import { broker, type Broker } from '../support/broker.ts';
import { PRODUCTION_LIMITS } from '../support/production-limits.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import type { Flood } from './fair-process.ts';
import { forkWith } from './fork-with.ts';
import { p99, paced } from './paced.ts';
import type { BenchmarkRow } from './row.ts';

const ROUNDS = 3;
/** Long enough for a p99: the rarest kind of request is sent 240 times in all rounds. */
const ROUND_MS = 10_000;
/** What a flood has left in work is not part of the time without it. */
const SETTLE_MS = 2_000;
/** A tender of about 1.7 MB, and its revisions. */
const ITEMS = 1_000;
const REVISIONS = 8;
/** Requests a second of an honest client, below its rates. */
const HONEST = { search: 8, lookup: 15, GET: 50 } as const;

type Kind = keyof typeof HONEST;
type Latencies = Readonly<Record<Kind, number[]>>;
const KINDS = ['search', 'lookup', 'GET'] as const satisfies readonly Kind[];

const noLatencies = (): Latencies => ({ search: [], lookup: [], GET: [] });

/** Latencies of an honest client beside another one that asks for the most costly reads of a large tender, against those without it. */
export async function fairRows(stack: Stack): Promise<BenchmarkRow[]> {
  const gateway = await stack.addReplica('gateway', PRODUCTION_LIMITS);
  const large = await publishLarge(stack);
  const { id } = await publish(broker(stack.gatewayUrl, 'broker1', '2.5'), minimalTender());
  const reader = broker(gateway.url, undefined, '2.5');
  await waitFor(async () => (await reader.get(`/lookup?ids=${id}`)).body.data.length === 1, {
    what: 'the small tender in the register',
  });
  const floods = buildFloods(gateway.url, large);
  const flooder = await forkWith(new URL('fair-process.ts', import.meta.url), 'stop');
  // Of all rounds together: it is the same in each, and the p99 of 240 searches is the third slowest of them.
  const without = noLatencies();
  const results: { what: string; during: Latencies; answered: number }[] = [];
  try {
    // For the compiler only.
    await honest(reader, id, noLatencies());
    for (const [name, flood] of Object.entries(floods)) {
      const during = noLatencies();
      let answered = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await honest(reader, id, without);
        await flooder.ask(flood);
        await honest(reader, id, during);
        answered += Number(await flooder.ask('stop'));
        await pause(SETTLE_MS);
      }
      results.push({ what: `${flood.atOnce} ${name} at once`, during, answered });
    }
  } finally {
    await flooder.stop();
    await gateway.stop();
  }
  return results.flatMap(({ what, during, answered }) =>
    KINDS.map((kind) => buildRow(`${kind} beside ${what}`, answered, without[kind], during[kind])),
  );
}

function buildRow(what: string, answered: number, without: readonly number[], during: readonly number[]): BenchmarkRow {
  const [quietMs, floodMs] = [p99(without), p99(during)];
  return {
    what: `${what}, p99 against that without them`,
    ratio: floodMs / quietMs,
    atMost: 3,
    figures: `${floodMs.toFixed(1)} ms of ${quietMs.toFixed(1)} ms, ${during.length} requests; ${answered} of the others answered`,
  };
}

async function honest(reader: Broker, id: string, latencies: Latencies): Promise<void> {
  const sends: Readonly<Record<Kind, () => Promise<{ readonly status: number }>>> = {
    search: async () => reader.get('/search?mode=_all_&limit=5'),
    lookup: async () => reader.get(`/lookup?ids=${id}`),
    GET: async () => reader.get(`/tenders/${id}`),
  };
  await Promise.all(
    KINDS.map(async (kind) =>
      paced(latencies[kind], { perSecond: HONEST[kind], durationMs: ROUND_MS, expected: 200, send: sends[kind] }),
    ),
  );
}

/** The id of a tender of 1.7 MB with several revisions, all of them in the register. */
async function publishLarge(stack: Stack): Promise<string> {
  const client = broker(stack.gatewayUrl, 'broker1', '2.5');
  const tender = minimalTender();
  const [item] = tender['items'] as object[];
  const description = 'Папір офісний для закладів освіти. '.repeat(22);
  const items = Array.from({ length: ITEMS }, (_, n) => ({ ...item, id: `item-${n}`, description }));
  const created = await client.post('/tenders', { ...tender, items });
  if (created.status !== 201) throw new Error(`the large tender was refused: ${created.text.slice(0, 500)}`);
  const { data, access } = created.body;
  for (let n = 1; n < REVISIONS; n += 1) {
    const headers = { 'x-access-token': access.token };
    const { status, text } = await client.patch(`/tenders/${data.id}`, { description: `зміна ${n}` }, { headers });
    if (status !== 200) throw new Error(`the large tender was not changed: ${text.slice(0, 500)}`);
  }
  await waitFor(async () => ((await client.get(`/tenders/${data.id}/history`)).body.data?.length ?? 0) >= REVISIONS, {
    what: 'the revisions in the register',
  });
  return data.id;
}

function buildFloods(url: string, id: string): Readonly<Record<string, Flood>> {
  const tender = `${url}/api/2.5/tenders/${id}`;
  const revs = Array.from({ length: REVISIONS }, (_, n) => n + 1);
  const pairs = revs.flatMap((to) => revs.filter((from) => from !== to).map((from) => [from, to] as const));
  return {
    'history?diff=1': { urls: [`${tender}/history?diff=1`], atOnce: 40 },
    changes: { urls: pairs.map(([from, to]) => `${tender}/history/${to}/changes?from=${from}`), atOnce: 40 },
    'lookup?expand=1': { urls: [`${url}/api/2.5/lookup?ids=${id}&expand=1`], atOnce: 64 },
    opt_pretty: { urls: [`${tender}?opt_pretty=1`], atOnce: 64 },
    opt_jsonp: { urls: [`${tender}?opt_jsonp=show`], atOnce: 64 },
    'segment 0.1': { urls: [`${url}/api/0.1/tenders/${id}`], atOnce: 64 },
  };
}
