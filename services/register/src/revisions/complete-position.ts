import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Run } from '../requests/bounded-read.ts';

/** Up to which every publication is applied; no row while a back-fill runs. */
export const COMPLETE_TO_SQL = 'SELECT greatest(position, horizon) AS position FROM follow WHERE backfill IS NULL';

/** The position up to which an answer is complete. Throws 503 while a back-fill runs. */
export async function completePosition(run: Run): Promise<bigint> {
  const [state] = await run<{ position: string }>({ text: COMPLETE_TO_SQL, values: [] });
  if (state === undefined) throw new ProblemError(unavailable(5));
  return BigInt(state.position);
}
