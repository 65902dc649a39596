import { setTimeout as pause } from 'node:timers/promises';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { TenderingEnded } from '@procurement/contracts/events/tender.events';
import { parseInstant, MINUTE, type Instant } from '@procurement/contracts/reading/instant';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { realTime } from '@procurement/domain/tender-time';
import { ConflictError } from '@procurement/kit/database/transaction';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Deps } from '../deps.ts';
import { requestOwner } from './request-owner.ts';

/** Longest wait, in microseconds. It holds up other closings, which are due at about the same time. */
const WAIT_MICROS_MAX = 1_000_000;
/** An announcement that comes so much before the end, in microseconds, is redelivered until the end. */
const REDELIVERED_MICROS_MAX = MINUTE;

type Period = Pick<TenderingEnded, 'id' | 'endDate'>;

/** A period that has ended. */
export interface EndedPeriod<P> {
  readonly period: P;
  /** Its end in the tender's time. */
  readonly end: Instant;
  /** Microseconds by which the tender's time is ahead of real time; 0 where the end has passed in real time too. */
  readonly clockShift: number;
}

/**
 * Waits until these tendering periods have ended by the clock of this service, and returns those that have. The clock of the tenders
 * service may be ahead, and a bid that comes until the end is on time (docs/decisions/0051-closing-by-the-clock-of-bids.md). Throws
 * ConflictError for an end that is more than a second away: the event is redelivered after a second. An end that is more than a
 * minute away is left out: the tenders service asks again, and its monitors show that it waits.
 */
export async function awaitTenderingEnd<P extends Period>(
  deps: Pick<Deps, 'bus' | 'clock'>,
  periods: readonly P[],
): Promise<readonly EndedPeriod<P>[]> {
  const { clock } = deps;
  const ends = await Promise.all(periods.map(async (period) => ({ period, end: await endInRealTime(deps, period) })));
  const near = ends.filter(({ end }) => end - clock.now() < REDELIVERED_MICROS_MAX);
  const last = Math.max(...near.map(({ end }) => end));
  const giveUpAtMs = monotonicMs() + WAIT_MICROS_MAX / 1_000;
  // The end belongs to the period. A timer may end a moment before it by the clock: then the rest is waited for too.
  for (let micros = last + 1 - clock.now(); micros > 0; micros = last + 1 - clock.now()) {
    const ms = Math.ceil(micros / 1_000);
    if (monotonicMs() + ms > giveUpAtMs) throw new ConflictError(new Error('the tendering period has not ended here'));
    await pause(ms);
  }
  return near.map(({ period, end: realEnd }) => {
    const end = parseInstant(period.endDate);
    return { period, end, clockShift: end - realEnd };
  });
}

/** The tenders service is asked only for an end that is far away, because the sandbox may have moved the tender's clock. */
async function endInRealTime({ bus, clock }: Pick<Deps, 'bus' | 'clock'>, { id, endDate }: Period): Promise<Instant> {
  const end = parseInstant(endDate);
  if (end - clock.now() < WAIT_MICROS_MAX) return end;
  return realTime(end, await requestOwner(bus, rpcSubjects.tenderFacts, { id }, TenderFacts));
}
