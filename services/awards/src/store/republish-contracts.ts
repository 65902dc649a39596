import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { completeAudit, operatorAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import { splitByRows } from '@procurement/kit/messaging/consume/batches-by-rows';
import { commandLine, runCommandLine, UsageError } from '@procurement/kit/runtime/command-line';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { publishContracts } from './contract-feed.publish.ts';
import { awardingBytes, lockContracts } from './load-awardings.ts';
import type { CurrentTenders } from './tender-reader.ts';

const CONTRACTS_AT_ONCE = 100;
const PAGE = `SELECT contract_id AS "contractId", tender_id AS "tenderId", stamp FROM contract_feed JOIN contract_place USING (contract_id)
  WHERE stamp > $1 AND stamp <= $2 ORDER BY stamp LIMIT ${CONTRACTS_AT_ONCE}`;
const NEWEST = 'SELECT coalesce(max(stamp), 0) AS stamp FROM contract_feed';

export interface RepublishDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly currentTenders: CurrentTenders;
}

/**
 * `republish-contracts --since <time>`: publishes the contracts again whose last publication is not older, the oldest hundred first. After
 * a restore readers of the feed get what they may have read in the lost time (docs/operations.md, "Restore"). Returns the exit code.
 */
export async function republishContracts(
  args: readonly string[],
  deps: RepublishDeps,
  print: (line: string) => void,
): Promise<number> {
  const program = commandLine('node dist/main.js republish-contracts', print)
    .description('publish contracts again, so that they come to the end of their feed')
    .requiredOption('--since <time>', 'those that were published at this ISO time or later')
    .action(async ({ since }: { readonly since: string }) => {
      const from = parseInstant(since);
      await completeAudit(deps.pool, deps.log, operatorAct('republish-contracts', { since }), { outcome: 'begun' });
      print(`${await republishSince(deps, from, print)} contracts published again`);
    });
  return runCommandLine(program, args, print);
}

function parseInstant(text: string): Instant {
  const parsed = parseDateTime(text);
  if (parsed === undefined) throw new UsageError(`not an ISO time: ${text}`);
  return parsed.instant;
}

/** Publishes in batches, up to the newest position at the beginning: what is published meanwhile has a newer one. */
async function republishSince(deps: RepublishDeps, since: Instant, print: (line: string) => void): Promise<number> {
  const { pool } = deps;
  const newest = (await pool.query<{ stamp: string }>(NEWEST)).rows[0]?.stamp ?? '0';
  let [after, count] = [String(since - 1), 0];
  for (;;) {
    const { rows } = await pool.query<{ contractId: string; tenderId: string; stamp: string }>(PAGE, [after, newest]);
    const last = rows.at(-1);
    if (last === undefined) return count;
    const listed = rows.map(({ contractId, tenderId }) => ({ contractId, event: { subject: tenderId } }));
    const batches = await splitByRows(listed, { rowBytes: async (ids) => awardingBytes(pool, ids) });
    for (const batch of batches) {
      const { published, unreadableIds } = await republish(deps, batch);
      for (const id of unreadableIds) print(`the contracts of tender ${id} cannot be read`);
      count += published;
    }
    after = last.stamp;
  }
}

interface ListedContract {
  readonly contractId: string;
  /** `subject`: the tender. */
  readonly event: { readonly subject: string };
}

async function republish(
  { pool, currentTenders }: RepublishDeps,
  listed: readonly ListedContract[],
): Promise<{ readonly published: number; readonly unreadableIds: readonly string[] }> {
  const ids = new Set(listed.map(({ contractId }) => contractId));
  const tenderIds = [...new Set(listed.map(({ event }) => event.subject))];
  return transact(pool, async (tx) => {
    const { awardings, unreadableIds } = await lockContracts(tx, tenderIds, currentTenders);
    const chosen = awardings.map((awarding) => ({
      awarding,
      contracts: awarding.contracts.filter(({ id }) => ids.has(id)),
    }));
    await publishContracts(tx, chosen, { always: true });
    return { published: chosen.flatMap(({ contracts }) => contracts).length, unreadableIds };
  });
}
