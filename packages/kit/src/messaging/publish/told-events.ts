import { lossSubject } from '@procurement/contracts/events/subjects';
import type pg from 'pg';
import { UnavailableError } from '../../database/unavailable-error.ts';
import { startLoop } from '../../runtime/loop.ts';
import type { Logger } from '../../runtime/log.ts';
import { isApiError, type Bus } from '../bus.ts';
import { respondTo } from '../request/request.ts';
import { STREAM_NOT_FOUND, type StreamDeclaration } from '../streams.ts';

/**
 * Whether the database of a service has what the service has told. A database that was restored alone lacks events that its stream has:
 * followers have applied them, and new events would get their versions a second time.
 */
export interface ToldEvents {
  /** What is lost, for operators; undefined when nothing is known of it. */
  lost(): string | undefined;
  /** False before the first comparison. */
  isKnown(): boolean;
  /** Compares now. Throws when NATS or the database is away. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

export interface ToldEventsDeps {
  readonly stream: StreamDeclaration;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}

const CHECK_EVERY_MS = 60_000;
/** While it is not known, and while an operator may accept the loss. */
const CHECK_SOON_MS = 1_000;
const MESSAGE_ID_HEADER = 'Nats-Msg-Id';
// Rows are kept for a day after they were sent, and the newest of them for ever.
const HAS_EVENT = 'SELECT EXISTS (SELECT FROM kit.outbox WHERE id = $1) AS found';

interface ToldEvent {
  readonly id: string;
  readonly subject: string;
  readonly at: string;
}

/**
 * Compares the newest event of the stream with the outbox: at the start, when the relay gets its lock, and once a minute. The stream keeps the
 * evidence, because nothing is published while the event is missing.
 */
export function watchToldEvents({ stream, pool, bus, log }: ToldEventsDeps): ToldEvents {
  let missing: ToldEvent | undefined;
  let isChecked = false;

  async function check(): Promise<void> {
    const newest = await newestTold(bus, stream);
    const isMissing = newest !== undefined && !(await hasEvent(pool, newest.id));
    if (isMissing && missing === undefined)
      log.error(
        newest,
        'the database lacks an event that was published: it was restored alone, and writes are refused',
      );
    if (!isMissing && missing !== undefined) log.warn('nothing is lost any more, writes go on');
    missing = isMissing ? newest : undefined;
    isChecked = true;
  }

  const loop = startLoop(
    async () => {
      if (bus.connected()) await check();
      return { pauseMs: isChecked && missing === undefined ? CHECK_EVERY_MS : CHECK_SOON_MS };
    },
    { pauseMs: CHECK_EVERY_MS, failedMs: CHECK_SOON_MS, log, failure: 'published events not compared', level: 'warn' },
  );
  return {
    lost: () =>
      missing &&
      `the database lacks event ${missing.id} (${missing.subject}) of ${missing.at}, which was published: it was restored alone`,
    isKnown: () => isChecked,
    check,
    stop: async () => loop.stop(),
  };
}

/** The newest event of the stream that a relay has published; undefined when there is none. */
async function newestTold(bus: Bus, { name }: StreamDeclaration): Promise<ToldEvent | undefined> {
  const message = await bus.manager.streams.getMessage(name, { last_by_subj: `${name}.>` }).catch((error: unknown) => {
    if (isApiError(error, STREAM_NOT_FOUND)) return null;
    throw error;
  });
  const id = message?.header.get(MESSAGE_ID_HEADER) ?? '';
  return message === null || id === '' ? undefined : { id, subject: message.subject, at: message.time.toISOString() };
}

async function hasEvent(pool: pg.Pool, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({ name: 'outbox-has', text: HAS_EVENT, values: [id] });
  return rows[0]?.found === true;
}

/** Makes a handler of requests of other services that write here refuse them, as the requests of clients are refused. */
export function refusingWrites<T>(
  relay: Pick<ToldEvents, 'lost'>,
  handler: (request: unknown) => Promise<T>,
): (request: unknown) => Promise<T> {
  return async (request) => {
    if (relay.lost() !== undefined) throw new UnavailableError('a database that was restored alone');
    return handler(request);
  };
}

/** Responds to followers whether the database has lost what was told. */
export function respondLoss(told: ToldEvents, { stream, bus, log }: Omit<ToldEventsDeps, 'pool'>): void {
  respondTo(bus, lossSubject(stream.name), log, async () => {
    // An operator's command responds too, from its start on.
    if (!told.isKnown()) await told.check();
    return { lost: told.lost() ?? null };
  });
}
