import type pg from 'pg';
import type { BuyersQuestion } from './domain/buyers-parameters.ts';
import { boundedRead } from '../requests/bounded-read.ts';
import { completePosition } from '../revisions/complete-position.ts';

export interface FoundBuyer {
  readonly scheme: string;
  readonly id: string;
  readonly name: string;
  readonly tenders: number;
}

export interface FoundBuyers {
  readonly position: bigint;
  readonly buyers: readonly FoundBuyer[];
}

export interface BuyersStore {
  /** Throws 422 when it would take too long, and 503 while tenders lack their contributions. */
  find(question: BuyersQuestion): Promise<FoundBuyers>;
}

/** Expressions for the number of tenders that `mode` asks for. */
const COUNTS = { real: 'tenders', test: 'tests', _all_: 'tenders + tests' } as const;

const buyersSql = (count: string): string => `SELECT scheme, code AS id, name, ${count} AS tenders FROM party
  WHERE (folded LIKE $1 || '%' OR folded LIKE '% ' || $1 || '%' OR $2 <% folded) AND ${count} > 0
  ORDER BY ' ' || folded LIKE '% ' || $1 || '%' DESC, round(word_similarity($2, folded)::numeric, 3) DESC, 4 DESC, 1, 2 LIMIT 20`;

export function buyersStore(pool: pg.Pool): BuyersStore {
  return {
    find: async ({ folded, mode }) =>
      boundedRead(pool, 'SET LOCAL enable_seqscan = off', async (run) => {
        const position = await completePosition(run);
        const prefix = folded.replaceAll(/[\\%_]/g, String.raw`\$&`);
        const buyers = await run<FoundBuyer>({ text: buyersSql(COUNTS[mode ?? 'real']), values: [prefix, folded] });
        return { position, buyers };
      }),
  };
}
