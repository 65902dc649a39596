import { appendAudit, logAudit, operatorAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import { commandLine, RefusedCommandError, runCommandLine } from '@procurement/kit/runtime/command-line';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { z } from 'zod';
import type { DisclosedBid } from './seals.store.ts';

const SELECT = 'SELECT opened FROM seal WHERE tender_id = $1 AND opened IS NOT NULL FOR UPDATE';
const UPDATE = 'UPDATE seal SET opened = $2 WHERE tender_id = $1';
const Answer = z.object({
  data: z.object({
    seal: z.string(),
    bids: z.array(
      z.object({ id: z.string(), version: z.int(), salt: z.string().nullable(), text: z.string().nullable() }),
    ) satisfies z.ZodType<readonly DisclosedBid[]>,
  }),
});

/**
 * The command `redact-seal`: removes the text of a bid from the disclosed seal of its tender by law. Its salt goes too, so that the digest
 * that stays in the seal tells nothing. Returns the exit code.
 */
export async function redactSeal(
  args: readonly string[],
  { pool, log }: { readonly pool: pg.Pool; readonly log: Logger },
  print: (line: string) => void,
): Promise<number> {
  const program = commandLine('node dist/main.js redact-seal', print)
    .argument('<tender>', 'id of the tender')
    .argument('<bid>', 'id of the bid')
    .description('remove the text of a bid from the disclosed seal of its tender')
    .requiredOption('--reason <text>', 'why; the audit trail keeps it')
    .action(async (tender: string, bid: string, { reason }: { readonly reason: string }) => {
      const act = operatorAct('redact-seal', { tender, bid, reason });
      const rows = await transact(pool, async (tx) => {
        const before = (await tx.query<{ opened: string }>(SELECT, [tender])).rows[0]?.opened;
        if (before === undefined) throw new RefusedCommandError(`tender ${tender} has no disclosed seal`);
        const answer = Answer.parse(JSON.parse(before));
        const found = answer.data.bids.find(({ id }) => id === bid);
        if (found === undefined) throw new RefusedCommandError(`the seal of tender ${tender} has no bid ${bid}`);
        Object.assign(found, { salt: null, text: null });
        const after = JSON.stringify(answer);
        await tx.query(UPDATE, [tender, after]);
        return appendAudit(tx, act, { id: bid, before, after });
      });
      logAudit(log, rows);
      print(`the text of bid ${bid} was removed; copies of the answer are good for a day`);
    });
  return runCommandLine(program, args, print);
}
