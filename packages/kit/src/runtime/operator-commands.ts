import { parseArgs } from 'node:util';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { parseDateTime } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { completeAudit, listAudit, operatorAct } from '../database/audit.ts';
import type { Bus } from '../messaging/bus.ts';
import { rebuildNow } from '../messaging/rebuild-command.ts';
import type { Subscription } from '../messaging/subscription.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { listDeadLetters, RELAY_DURABLE, replayDeadLetters, requeueUnpublished } from '../messaging/dead-letters.ts';

export interface OperatorDeps {
  readonly pool: pg.Pool;
  /** Requests the data of a large event from its publisher. */
  readonly fetchData: (event: Envelope) => Promise<Envelope | undefined>;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly subscriptions: readonly Subscription[];
  /** Verbs of the service's own commands, for the usage text. */
  readonly otherVerbs?: readonly string[];
  print(line: string): void;
}

const USAGE = `usage:
  migrate                       applies the migrations of the database, and ends
  dead-letters list             lists dead letters (events that could not be applied or published) with their errors
  dead-letters replay           applies or publishes them again
  rebuild [durable]             rebuilds what a durable, or each, maintains, from the current facts of their owners
  outbox republish <since>      publishes the events stored since an ISO time again; consumers skip those they have applied
  audit list [--since <time>]   prints what privileged callers and operators did, since an ISO time, as one JSON object a line`;

/** Runs an operator's command on one service, `node dist/main.js <verb> ...`. Returns the exit code: 2 for wrong usage. */
export async function operatorCommand(args: readonly string[], deps: OperatorDeps): Promise<number> {
  if (args[0] === 'audit') return listAuditOf(deps, args);
  const [command, argument, ...rest] = parsePositionals(args);
  if (command === 'dead-letters list' && argument === undefined) return listDeadLettersOf(deps);
  if (command === 'dead-letters replay' && argument === undefined) return replayDeadLettersOf(deps);
  if (command === 'outbox republish' && argument !== undefined && rest.length === 0) {
    return republishOutbox(deps, argument);
  }
  if (args[0] === 'rebuild' && args.length <= 2) return rebuild(deps, args[1]);
  return printUsage(deps);
}

function printUsage({ print, otherVerbs = [] }: OperatorDeps): number {
  print([USAGE, ...otherVerbs.map((verb) => `  ${verb} ...`)].join('\n'));
  return 2;
}

async function listAuditOf(deps: OperatorDeps, args: readonly string[]): Promise<number> {
  const since = parseSince(args);
  if (since === undefined) return printUsage(deps);
  for await (const row of listAudit(deps.pool, since)) deps.print(JSON.stringify(row));
  return 0;
}

/** The time after `--since`; without it the first one. Undefined for wrong usage. */
function parseSince(args: readonly string[]): string | undefined {
  try {
    const options = { since: { type: 'string', default: '1970-01-01T00:00:00Z' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return positionals.join(' ') === 'audit list' ? parseDateTime(values.since)?.text : undefined;
  } catch {
    return undefined;
  }
}

/** Records a command before its first effect: it may end in the middle, and goes on in the service (`rebuild`). */
async function recordBegin({ pool, log }: OperatorDeps, command: string, objects = {}): Promise<void> {
  await completeAudit(pool, log, operatorAct(command, objects), { outcome: 'begun' });
}

/** `['outbox', 'republish', 'x']` gives `['outbox republish', 'x']`. Empty when an option was given: there are none. */
function parsePositionals(args: readonly string[]): readonly string[] {
  try {
    const [verb, action, ...rest] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
    return [`${verb} ${action}`, ...rest];
  } catch {
    return [];
  }
}

async function listDeadLettersOf({ pool, print }: OperatorDeps): Promise<number> {
  for (const { id, durable, subject, attempts, error, createdAt } of await listDeadLetters(pool)) {
    print([id, createdAt.toISOString(), durable, subject, `${attempts} attempts`, error].join('  '));
  }
  return 0;
}

async function replayDeadLettersOf(deps: OperatorDeps): Promise<number> {
  const { pool, fetchData, subscriptions, print } = deps;
  await recordBegin(deps, 'dead-letters replay');
  // First, because one dead letter that fails again ends the command with an error.
  const requeued = await requeueUnpublished(pool);
  if (requeued > 0) print(`${RELAY_DURABLE}: ${requeued} will be published again`);
  for (const subscription of subscriptions) {
    const applied = await replayDeadLetters(pool, subscription, fetchData);
    print(`${subscription.durable}: ${applied} applied`);
  }
  return 0;
}

async function rebuild(deps: OperatorDeps, durable: string | undefined): Promise<number> {
  const chosen = deps.subscriptions.filter((one) => durable === undefined || one.durable === durable);
  if (durable !== undefined && chosen[0]?.facts === undefined) {
    const durables = deps.subscriptions.filter(({ facts }) => facts !== undefined).map((one) => one.durable);
    deps.print([`no durable that can be rebuilt: ${durable}`, ...durables].join('\n  '));
    return 2;
  }
  await recordBegin(deps, 'rebuild', durable === undefined ? {} : { durable });
  for (const subscription of chosen) {
    if (subscription.facts === undefined) continue;
    deps.print(`${subscription.durable}: ${await rebuildNow(subscription, deps)} facts applied`);
  }
  return 0;
}

async function republishOutbox(deps: OperatorDeps, since: string): Promise<number> {
  const { pool, print } = deps;
  const parsed = parseDateTime(since);
  if (parsed === undefined) {
    print(`not an ISO time: ${since}`);
    return 2;
  }
  await recordBegin(deps, 'outbox republish', { since: parsed.text });
  // Publishing twice is harmless: streams drop a repeated message id for two minutes, the inbox of each consumer for a week.
  const unmark = 'UPDATE outbox SET sent_at = NULL WHERE created_at >= $1 AND sent_at IS NOT NULL';
  const { rowCount } = await pool.query(unmark, [parsed.text]);
  print(`${rowCount} events will be published again`);
  return 0;
}
