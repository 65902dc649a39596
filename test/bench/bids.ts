import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { median, type Rate } from './load.ts';
import { postLoad } from './post-load.ts';
import type { BenchmarkRow } from './row.ts';
import { runPgbench, startUpdateLoad } from './update-load.ts';

const ROUNDS = 3;
const SECONDS = 4;
/** Time until V8 has compiled the services' code, which takes some thousand bids. */
const WARM_UP_SECONDS = 5;
/** Connections on both sides of the ratio. */
const CONNECTIONS = 64;
/** One broker may add 300 bids to a tender (limits.md 5): enough tenders for 2,000 bids a second. */
const TENDER_COUNT = 128;

/**
 * Compares bids through the gateway, durable and applied to the tender's view, with plain updates on the same server. They take turns,
 * so that noise of the machine affects both.
 */
export async function bidRows(stack: Stack): Promise<BenchmarkRow[]> {
  const post = await prepareBidLoad(stack);
  const updates = await startUpdateLoad(stack.databaseUrl('bids'), CONNECTIONS);
  const bids: Rate[] = [];
  const plain: number[] = [];
  await post(WARM_UP_SECONDS);
  await updates.measureFor(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    bids.push(await post(SECONDS));
    plain.push(await updates.measureFor(SECONDS));
  }
  await updates.end();
  const { perSecond, p50Ms, p99Ms } = median(bids, (rate) => rate.perSecond);
  const reference = median(plain, (rate) => rate);
  return [
    {
      what: 'POST a bid, applied, against plain updates of the same server',
      ratio: perSecond / reference,
      atLeast: 0.08,
      figures: `${Math.round(perSecond)}/s of ${Math.round(reference)}/s, ${CONNECTIONS} at once${tellPgbench(stack)}`,
    },
    {
      what: 'POST a bid, p99 over p50',
      ratio: p99Ms / p50Ms,
      atMost: 10,
      figures: `p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`,
    },
  ];
}

/** The rate of pgbench on the same server, where the machine has it. */
function tellPgbench(stack: Stack): string {
  const perSecond = runPgbench(stack.databaseUrl('bids'), CONNECTIONS, SECONDS);
  return perSecond === undefined ? '' : `; pgbench -N ${Math.round(perSecond)}/s`;
}

/** Many bidders on many tenders in tendering. */
export async function prepareBidLoad(stack: Stack): Promise<(seconds: number) => Promise<Rate>> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const paths: string[] = [];
  for (let n = 0; n < TENDER_COUNT; n += 1) {
    const { id, path } = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, id);
    paths.push(`/api/2.5${path}/bids`);
  }
  const headers = {
    authorization: `Basic ${Buffer.from('broker2:').toString('base64')}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ data: { tenderers: [TENDERER], value: { amount: 400 } } });
  return async (seconds) =>
    postLoad({ url: stack.gatewayUrl, headers, body, paths, connections: CONNECTIONS, seconds });
}
