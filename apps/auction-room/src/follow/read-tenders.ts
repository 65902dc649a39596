import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type Loop } from '@procurement/kit/runtime/loop';
import { z } from 'zod';
import type { Room } from '../room.ts';
import type { DueReading, FollowStore } from '../store/follow.store.ts';
import { meaningOf, pauseSeconds } from '../tender-service/answers.table.ts';
import type { ServiceAnswer, TenderService } from '../tender-service/client.ts';
import { readClock, readRecord, readTender } from '../tender-service/requests.ts';
import { admitAuctions, type Admission, type AdmissionSettings } from './admit-auctions.ts';
import { RecordShape, TenderShape } from './tender-record.ts';

export interface ReadingsDeps {
  readonly follow: FollowStore;
  readonly service: TenderService;
  readonly room: Room;
  readonly settings: AdmissionSettings;
  /** Answers a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

const BATCH_MAX = 32;
const CONCURRENT_MAX = 8;
const SLEEP_MS_MAX = 1_000;
const FOLLOW_SHARD = 0;

const AHEAD = /^PT(\d+(?:\.\d+)?)S$/;
const Clock = z.object({ data: z.object({ ahead: z.string().regex(AHEAD) }) });

/** The tender was not read: the answer says when to try again. */
class NotReadError extends Error {
  readonly answer: ServiceAnswer;
  constructor(answer: ServiceAnswer) {
    super(`${answer.status} ${answer.description}`);
    this.answer = answer;
  }
}

/** Reads the tenders that the feed named, and plans or cancels their auctions (auction-room.md 7.1, 7.2). One that fails delays no other. */
export function readTenders(deps: ReadingsDeps): Loop {
  const { follow, room, log } = deps;
  const reading = new Set<string>();

  async function readOne(due: DueReading): Promise<void> {
    try {
      const note = await readAndAdmit(deps, due.tenderId);
      if (note !== undefined) log.info({ tenderId: due.tenderId, note }, 'auction not held here');
      await follow.finish(due, note);
    } catch (error) {
      const answer = error instanceof NotReadError ? error.answer : {};
      const seconds = pauseSeconds(answer, 'again', { attempts: due.attempts, random: deps.random() });
      const note = error instanceof Error ? error.message : String(error);
      log.warn({ tenderId: due.tenderId, err: error }, 'tender not read');
      await follow.postpone(due, addMicros(room.clock.now(), seconds * SECOND), note);
    }
  }

  async function start(due: DueReading): Promise<void> {
    reading.add(due.tenderId);
    try {
      await readOne(due);
    } catch (error) {
      log.warn({ tenderId: due.tenderId, err: error }, 'reading of a tender not stored');
    } finally {
      reading.delete(due.tenderId);
      loop.wake();
    }
  }

  async function round(): Promise<void> {
    if (room.leadership.lease(FOLLOW_SHARD) === undefined || !room.isReady()) return;
    // A reading that ends during the query may still be among its rows. One that is due again is found by the next round.
    const begun = new Set(reading);
    const due = await follow.dueReadings(room.clock.now(), BATCH_MAX + begun.size);
    const free = due.filter(({ tenderId }) => !begun.has(tenderId)).slice(0, CONCURRENT_MAX - reading.size);
    for (const one of free) void start(one);
  }

  const loop = startLoop(round, { pauseMs: SLEEP_MS_MAX, log, failure: 'readings not found' });
  return loop;
}

/** Answers why auctions of the tender are not held here, if any. */
async function readAndAdmit(deps: ReadingsDeps, tenderId: string): Promise<string | undefined> {
  const { service, follow, room, settings } = deps;
  const answer = await service.send(readTender(tenderId));
  if (answer.status === 404) return 'no such tender';
  const tender = parsedOr(TenderShape, requireData(answer));
  if (typeof tender === 'string') return tender;
  const record = tender.status === 'active.auction' ? await readRecordShape(service, tenderId) : undefined;
  if (typeof record === 'string') return record;
  const aheadMicros = settings.sandbox ? await readAheadMicros(service, tenderId) : 0;
  const known = await follow.auctionsOf(tenderId);
  const now = addMicros(room.clock.now(), aheadMicros);
  const isStopped = (await follow.stopped()) !== undefined;
  const decisions = admitAuctions(tender, record, known, { now, settings, isStopped });
  for (const decision of decisions) await apply(room, decision, aheadMicros);
  const left = decisions.flatMap((decision) => ('left' in decision ? [`${decision.auctionId}: ${decision.left}`] : []));
  return left.length === 0 ? undefined : left.join('; ');
}

async function apply(room: Room, decision: Admission, aheadMicros: number): Promise<void> {
  if ('left' in decision) return;
  await room.run(decision.auctionId, decision.command, 'follower', { aheadMicros });
}

async function readRecordShape(service: TenderService, tenderId: string): Promise<RecordShape | string> {
  const answer = await service.send(readRecord(tenderId));
  return parsedOr(RecordShape, requireData(answer));
}

/** Microseconds by which a tender of a sandbox is ahead of the room. */
export async function readAheadMicros(service: TenderService, tenderId: string): Promise<number> {
  const answer = await service.send(readClock(tenderId));
  if (answer.status !== 200) throw new NotReadError(answer);
  const { data } = Clock.parse(answer.body);
  return Math.round(Number(AHEAD.exec(data.ahead)?.[1] ?? 0) * SECOND);
}

function requireData(answer: ServiceAnswer): unknown {
  if (meaningOf(answer) !== 'done') throw new NotReadError(answer);
  return answer.body['data'];
}

/** A tender that has not the expected form stays so until it changes: operators see which member it is. */
function parsedOr<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> | string {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return `not understood: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;
}
