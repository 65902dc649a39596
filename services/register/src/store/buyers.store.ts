import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type pg from 'pg';
import type { BuyersQuestion } from '../domain/buyers-parameters.ts';
import { boundedRead } from './bounded-read.ts';
import { COMPLETE_TO_SQL } from './follow.store.ts';

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
  /** Throws 422 when it would take too long, and 503 while tenders lack their facts. */
  find(question: BuyersQuestion): Promise<FoundBuyers>;
}

/** Of the tenders that `mode` asks for. */
const COUNTS = { real: 'tenders', test: 'tests', _all_: 'tenders + tests' } as const;

const buyersSql = (count: string): string => `SELECT scheme, code AS id, name, ${count} AS tenders FROM party
  WHERE (folded LIKE $1 || '%' OR folded LIKE '% ' || $1 || '%' OR $2 <% folded) AND ${count} > 0
  ORDER BY ' ' || folded LIKE '% ' || $1 || '%' DESC, round(word_similarity($2, folded)::numeric, 3) DESC, 4 DESC, 1, 2 LIMIT 20`;

export function buyersStore(pool: pg.Pool): BuyersStore {
  return {
    find: async ({ folded, mode }) =>
      boundedRead(pool, 'SET LOCAL enable_seqscan = off', async (run) => {
        const [state] = await run<{ position: string }>({ text: COMPLETE_TO_SQL, values: [] });
        if (state === undefined) throw new ProblemError(unavailable(5));
        const prefix = folded.replaceAll(/[\\%_]/g, String.raw`\$&`);
        const buyers = await run<FoundBuyer>({ text: buyersSql(COUNTS[mode ?? 'real']), values: [prefix, folded] });
        return { position: BigInt(state.position), buyers };
      }),
  };
}
