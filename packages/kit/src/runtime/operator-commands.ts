import { parseDateTime } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import type { Subscription } from '../messaging/subscription.ts';
import { listDeadLetters, replayDeadLetters } from '../messaging/dead-letters.ts';

export interface OperatorDeps {
  readonly pool: pg.Pool;
  readonly subscriptions: readonly Subscription[];
  print(line: string): void;
}

const HELP = `dead-letters list             lists dead letters (events that could not be applied) with their errors
dead-letters replay           applies them again
outbox republish <since>      publishes the events stored since an ISO time again; consumers skip those they have applied`;

/** Runs an operator's command on one service, `node dist/main.js <verb> ...`. Returns the exit code: 2 for wrong usage. */
export async function operatorCommand(args: readonly string[], deps: OperatorDeps): Promise<number> {
  const [verb, action, argument = ''] = args;
  switch (`${verb} ${action}`) {
    case 'dead-letters list':
      return listDeadLettersOf(deps);
    case 'dead-letters replay':
      return replayDeadLettersOf(deps);
    case 'outbox republish':
      return republishOutbox(deps, argument);
    default:
      deps.print(HELP);
      return 2;
  }
}

async function listDeadLettersOf({ pool, print }: OperatorDeps): Promise<number> {
  for (const { id, durable, subject, attempts, error, createdAt } of await listDeadLetters(pool)) {
    print([id, createdAt.toISOString(), durable, subject, `${attempts} attempts`, error].join('  '));
  }
  return 0;
}

async function replayDeadLettersOf({ pool, subscriptions, print }: OperatorDeps): Promise<number> {
  for (const subscription of subscriptions) {
    print(`${subscription.durable}: ${await replayDeadLetters(pool, subscription)} applied`);
  }
  return 0;
}

async function republishOutbox({ pool, print }: OperatorDeps, since: string): Promise<number> {
  const parsed = parseDateTime(since);
  if (parsed === undefined) {
    print(`not an ISO time: ${since}`);
    return 2;
  }
  // Publishing twice is harmless: streams drop a repeated message id for two minutes, the inbox of each consumer for a week.
  const unmark = 'UPDATE outbox SET sent_at = NULL WHERE created_at >= $1 AND sent_at IS NOT NULL';
  const { rowCount } = await pool.query(unmark, [parsed.text]);
  print(`${rowCount} events will be published again`);
  return 0;
}
