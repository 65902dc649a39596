import { startStack, type Stack } from '@procurement/local-stack/stack';
import { largeLogRows, publicLogRows } from './public-log.ts';
import type { BenchmarkRow } from './row.ts';

/** The budgets of proof.md 7, beside those of `writes` (idle system) and `following` (writes with a ledger). */
export async function proofRows(stack: Stack, entries?: number): Promise<BenchmarkRow[]> {
  const rows = await publicLogRows(stack);
  const other = await startStack({ env: { LEDGER_INTERVAL_MS: '1000' } });
  try {
    rows.push(...(await largeLogRows(other, entries)));
  } finally {
    await other.stop();
  }
  return rows;
}
