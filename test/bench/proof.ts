import { startStack, type Stack } from '@procurement/local-stack/stack';
import { nodeOptionsOfImage } from './image-options.ts';
import { largeLogRows, publicLogRows } from './public-log.ts';
import type { BenchmarkRow } from './row.ts';
import { sealingRows } from './sealing.ts';

/** The budgets of proof.md 7, beside those of `writes` (idle system) and `following` (writes with a ledger). */
export async function proofRows(
  stack: Stack,
  { tenders, entries }: { readonly tenders: number | undefined; readonly entries: number | undefined },
): Promise<BenchmarkRow[]> {
  const rows = await publicLogRows(stack);
  const clear = await startStack({
    env: { SEAL_BIDS: 'off', LEDGER_INTERVAL_MS: '1000' },
    adjustEnv: (env) => (env['NATS_USER'] === 'ledger' ? { ...env, NODE_OPTIONS: nodeOptionsOfImage('ledger') } : env),
  });
  try {
    const sealing = await startStack({ adjustEnv: ({ BIDS_RECEIPT_KEY: _key, ...env }) => env });
    try {
      rows.push(...(await sealingRows({ clear, sealing, receipts: stack }, tenders)));
    } finally {
      await sealing.stop();
    }
    rows.push(...(await largeLogRows(clear, entries)));
  } finally {
    await clear.stop();
  }
  return rows;
}
