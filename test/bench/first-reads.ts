import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { measureInTurns } from './load.ts';
import { OLDER_SEGMENTS, type BenchmarkRow } from './row.ts';

const SECONDS = 2;
/** Tenders of 5 KB, with a bar (architecture.md, Quality bars: 4 to 8 KB), and of 56 KB, for information. */
const SIZES = [{ bids: 6, atLeast: 0.6 }, { bids: 140 }] as const;

/** First reads of a tender: the gateway has no cached answer, and encodes it for the older segments. */
export async function firstReadRows(stack: Stack): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const { bids, ...bar } of SIZES) {
    const path = await tenderInQualification(stack, bids);
    const load = (segment: string) =>
      ({ url: `${stack.gatewayUrl}/api/${segment}${path}`, seconds: SECONDS, first: true }) as const;
    const rates = await measureInTurns({ '2.5': load('2.5'), '2.3': load('2.3'), '0': load('0'), '0.1': load('0.1') });
    const { text } = await broker(stack.gatewayUrl, undefined, '2.5').get(path);
    const size = `${(Buffer.byteLength(text) / 1024).toFixed(1)} KB, ${bids} bids`;
    for (const segment of OLDER_SEGMENTS) {
      rows.push({
        what: `first GET of a tender (${size}), ${segment} against 2.5`,
        ratio: rates[segment].perSecond / rates['2.5'].perSecond,
        ...bar,
        figures: `${Math.round(rates[segment].perSecond)}/s of ${Math.round(rates['2.5'].perSecond)}/s`,
      });
    }
  }
  return rows;
}

/** Path of a tender in qualification, which shows its bids and an award. */
async function tenderInQualification(stack: Stack, bids: number): Promise<string> {
  const client = (key: string) => broker(stack.gatewayUrl, key, '2.5');
  const [buyer, seller] = [client('broker1'), client('broker2')];
  const { id, path } = await publish(buyer, minimalTender());
  await moveToNextCheck(buyer, id);
  for (let n = 0; n < bids; n += 1) {
    const { status, text } = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
    if (status !== 201) throw new Error(`no bid: ${text}`);
  }
  await moveToNextCheck(buyer, id);
  const reported = await client('auction').post(`${path}/auction`, { bids: Array.from({ length: bids }, () => ({})) });
  if (reported.status !== 200) throw new Error(`no results: ${reported.text}`);
  return path;
}
