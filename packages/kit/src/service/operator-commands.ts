import { InvalidArgumentError, type Command } from 'commander';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { parseDateTime } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { completeAudit, listAudit, logAudit, operatorAct } from '../database/audit.ts';
import type { Bus } from '../messaging/bus.ts';
import {
  discardDeadLetters,
  listDeadLetters,
  readDeadLetter,
  RELAY_DURABLE,
  type DeadLetter,
  type DeadLetterChoice,
} from '../messaging/dead-letters.ts';
import { acceptLoss, type Publisher } from '../messaging/publish/accept-loss.ts';
import { replayDeadLetters } from '../messaging/consume/replay-dead-letters.ts';
import { requeueUnpublished } from '../messaging/publish/requeue-dead-letters.ts';
import { outlineOf } from '../messaging/redact-event.ts';
import { parseEnvelope } from '../messaging/parse-envelope.ts';
import { rebuildNow } from '../messaging/repair/rebuild-command.ts';
import type { Subscription } from '../messaging/consume/subscription.ts';
import { commandLine, RefusedCommandError, runCommandLine, UsageError } from '../runtime/command-line.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';

export interface OperatorDeps {
  readonly pool: pg.Pool;
  /** Requests the data of a large event from its publisher. */
  readonly fetchData: (event: Envelope) => Promise<Envelope | undefined>;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly subscriptions: readonly Subscription[];
  /** What the service publishes; absent: it has no outbox. */
  readonly publisher?: Publisher | undefined;
  /** Verbs of the service's own commands, for the help. */
  readonly otherVerbs?: readonly string[];
  print(line: string): void;
}

/** Runs an operator's command on one service, `node dist/main.js <verb> ...`. Returns the exit code: 2 for wrong usage. */
export async function operatorCommand(args: readonly string[], deps: OperatorDeps): Promise<number> {
  const program = commandLine('node dist/main.js', deps.print);
  program.command('migrate').description('apply the migrations of the database, and end');
  addDeadLetters(program, deps);
  program
    .command('rebuild [durable]')
    .description('rebuild what a durable, or each, maintains, from the current facts of their owners')
    .action(async (durable?: string) => rebuild(deps, durable));
  program
    .command('outbox')
    .description('events that this service has published')
    .command('republish <since>')
    .description('publish the events stored since an ISO time again; consumers skip those that they have applied')
    .action(async (since: string) => republishOutbox(deps, since));
  program
    .command('accept-loss')
    .description('go on with a database that was restored alone, without what it lacks of what was published')
    .action(async () => acceptOwnLoss(deps));
  program
    .command('audit')
    .description('what privileged callers and operators did')
    .command('list')
    .description('print the records, one JSON object a line')
    .option('--since <time>', 'since an ISO time', '1970-01-01T00:00:00Z')
    .action(async ({ since }: { readonly since: string }) => printAudit(deps, since));
  for (const verb of deps.otherVerbs ?? []) program.command(verb).description(`see ${verb} --help`);
  return runCommandLine(program, args, deps.print);
}

function addDeadLetters(program: Command, deps: OperatorDeps): void {
  const letters = program
    .command('dead-letters')
    .description('events that could not be applied or published (the durable "relay")');
  letters
    .command('list')
    .description('list them with their errors, oldest first, at most 1,000')
    .option('--durable <name>', 'of one durable')
    .option('--json', 'one JSON object a line')
    .action(async (options: { readonly durable?: string; readonly json?: boolean }) => list(deps, options));
  letters
    .command('show')
    .argument('<id>', 'id of the list', parseId)
    .description('print one: its error, and the outline of its event without secrets and sealed values')
    .action(async (id: string) => show(deps, id));
  letters
    .command('replay')
    .argument('[ids...]', 'these only', collectIds)
    .description('apply or publish them again')
    .option('--durable <name>', 'of one durable')
    .action(async (ids: readonly string[], { durable }: { readonly durable?: string }) =>
      replay(deps, { durable, ...(ids.length === 0 ? {} : { ids }) }),
    );
  letters
    .command('discard')
    .argument('<ids...>', 'ids of the list', collectIds)
    .description('never apply or publish them; they can be shown for 30 days')
    .requiredOption('--reason <text>', 'why, for the next operator')
    .action(async (ids: readonly string[], { reason }: { readonly reason: string }) => discard(deps, ids, reason));
}

const BIGINT = /^[1-9]\d{0,17}$/;

function parseId(text: string): string {
  if (!BIGINT.test(text)) throw new InvalidArgumentError('an id is a number of the list');
  return text;
}

function collectIds(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), parseId(text)];
}

/** Records a command before its first effect: it may end in the middle, and goes on in the service (`rebuild`). */
async function recordBegin({ pool, log }: OperatorDeps, command: string, objects = {}): Promise<void> {
  await completeAudit(pool, log, operatorAct(command, objects), { outcome: 'begun' });
}

async function printAudit({ pool, print }: OperatorDeps, since: string): Promise<void> {
  for await (const row of listAudit(pool, parseIsoTime(since))) print(JSON.stringify(row));
}

function parseIsoTime(text: string): string {
  const parsed = parseDateTime(text);
  if (parsed === undefined) throw new UsageError(`not an ISO time: ${text}`);
  return parsed.text;
}

async function list(
  { pool, print }: OperatorDeps,
  { durable, json }: { readonly durable?: string; readonly json?: boolean },
): Promise<void> {
  for (const letter of await listDeadLetters(pool, { durable })) {
    print(json === true ? JSON.stringify(letter) : formatDeadLetter(letter));
  }
}

function formatDeadLetter({ id, durable, subject, attempts, error, createdAt }: DeadLetter): string {
  return [id, createdAt.toISOString(), durable, subject, `${attempts} attempts`, error].join('  ');
}

async function show({ pool, print }: OperatorDeps, id: string): Promise<void> {
  const letter = await readDeadLetter(pool, id);
  if (letter === undefined) throw new RefusedCommandError(`there is no dead letter ${id}`);
  print(formatDeadLetter(letter));
  const event = parseEnvelope(letter.envelope);
  if (event === undefined) {
    print(`not an event envelope, ${Buffer.byteLength(letter.envelope)} bytes`);
    return;
  }
  const { data, ...attributes } = event;
  print(JSON.stringify({ ...attributes, data: outlineOf(data) }, null, 2));
}

async function replay(deps: OperatorDeps, { durable, ids }: DeadLetterChoice): Promise<void> {
  const { pool, fetchData, subscriptions, print } = deps;
  const durables = [RELAY_DURABLE, ...subscriptions.map((one) => one.durable)];
  if (durable !== undefined && !durables.includes(durable)) refuseDurable(durable, durables);
  await recordBegin(deps, 'dead-letters replay', {
    ...(durable === undefined ? {} : { durable }),
    ...(ids === undefined ? {} : { ids: ids.join(' ') }),
  });
  const isChosen = (name: string): boolean => durable === undefined || durable === name;
  // First, because one dead letter that fails again ends the command with an error.
  const requeued = deps.publisher !== undefined && isChosen(RELAY_DURABLE) ? await requeueUnpublished(pool, ids) : 0;
  if (requeued > 0) print(`${RELAY_DURABLE}: ${requeued} will be published again`);
  for (const subscription of subscriptions.filter((one) => isChosen(one.durable))) {
    const applied = await replayDeadLetters(pool, subscription, fetchData, ids);
    print(`${subscription.durable}: ${applied} applied`);
  }
}

async function discard({ pool, log, print }: OperatorDeps, ids: readonly string[], reason: string): Promise<void> {
  const rows = await discardDeadLetters(pool, operatorAct('dead-letters discard', { reason }), { ids, reason });
  logAudit(log, rows);
  print(`${rows.length} discarded`);
  if (rows.length < new Set(ids).size) throw new RefusedCommandError('the others are not on the list');
}

async function rebuild(deps: OperatorDeps, durable: string | undefined): Promise<void> {
  const rebuildable = deps.subscriptions.filter(({ factType }) => factType !== undefined);
  const chosen = rebuildable.filter((one) => durable === undefined || one.durable === durable);
  if (durable !== undefined && chosen.length === 0) {
    refuseDurable(
      durable,
      rebuildable.map((one) => one.durable),
    );
  }
  await recordBegin(deps, 'rebuild', durable === undefined ? {} : { durable });
  for (const subscription of chosen) {
    deps.print(`${subscription.durable}: ${await rebuildNow(subscription, deps)} facts applied`);
  }
}

function refuseDurable(durable: string, possible: readonly string[]): never {
  throw new UsageError([`no such durable: ${durable}; there are:`, ...possible].join('\n  '));
}

async function acceptOwnLoss(deps: OperatorDeps): Promise<void> {
  const { publisher, print } = deps;
  if (publisher === undefined) throw new RefusedCommandError('this service publishes no events');
  await publisher.relay.lookForLoss();
  const lost = publisher.relay.lost();
  if (lost === undefined) {
    print('nothing is lost');
    return;
  }
  await recordBegin(deps, 'accept-loss', { lost });
  await acceptLoss(deps.pool, publisher);
  print(`accepted: ${lost}`);
  print('now run rebuild in all services, twice (docs/operations.md, "One database that was restored alone")');
}

async function republishOutbox(deps: OperatorDeps, since: string): Promise<void> {
  const { pool, print } = deps;
  const from = parseIsoTime(since);
  if (deps.publisher === undefined) throw new RefusedCommandError('this service publishes no events');
  await recordBegin(deps, 'outbox republish', { since: from });
  // Publishing twice is harmless: streams drop a repeated message id for two minutes, the inbox of each consumer for a week.
  const unmark = 'UPDATE kit.outbox SET sent_at = NULL WHERE created_at >= $1 AND sent_at IS NOT NULL';
  const { rowCount } = await pool.query(unmark, [from]);
  print(`${rowCount} events will be published again`);
}
