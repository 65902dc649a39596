import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchmarkRow } from './row.ts';

const PROGRAM = join(import.meta.dirname, '../../apps/auction-room/bench/rules.ts');
const FOLDED_PER_SECOND_MIN = 100_000;
const OFFERS_PER_SECOND_MIN = 50_000;

/** The rules of the auction room, without its database (bars B11 and B12 of auction-room.md 17). */
export async function auctionRuleRows(): Promise<BenchmarkRow[]> {
  const args = ['--conditions=source', '--import=tsx', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  // The program is part of this repository.
  const { folded, decided } = JSON.parse(stdout) as { readonly folded: number; readonly decided: number };
  return [
    {
      what: `events folded of the logs of all worked auctions, of ${FOLDED_PER_SECOND_MIN}/s (B11)`,
      ratio: folded / FOLDED_PER_SECOND_MIN,
      atLeast: 1,
      figures: `${Math.round(folded)}/s`,
    },
    {
      what: `offers decided with ten bidders and features, of ${OFFERS_PER_SECOND_MIN}/s (B12)`,
      ratio: decided / OFFERS_PER_SECOND_MIN,
      atLeast: 1,
      figures: `${Math.round(decided)}/s`,
    },
  ];
}
