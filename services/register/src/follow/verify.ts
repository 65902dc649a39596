import { parseArgs } from 'node:util';
import { CensusAnswer } from '@procurement/contracts/events/publications';
import { RESPONSE_MS_MAX, rpcSubjects } from '@procurement/contracts/events/subjects';
import { parseDateTime } from '@procurement/contracts/reading/instant';
import type { Bus } from '@procurement/kit/messaging/bus';
import { askListing } from '@procurement/kit/messaging/request/publication-pages';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type pg from 'pg';
import { dayRanges, type PositionRange } from './domain/day-ranges.ts';
import { applyPage, FollowMovedError } from './apply-publications.ts';
import { firstPosition, readCensus } from './census.store.ts';
import { readFollow } from './follow.store.ts';
import { askedOwner, readPublication } from './owner-pages.ts';

export interface VerifyDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  print(line: string): void;
}

const USAGE = 'usage: verify [--from <ISO time>] [--to <ISO time>]';
const POLL_MS = 100;
const POLLS_MAX = 300;

/**
 * Compares the tenders of each day of positions with the owner's, and reads those of a differing day again (register.md 2.8).
 * Returns the exit code: 1 when a difference is left or the owner does not answer, 2 for wrong usage.
 */
export async function verify(args: readonly string[], deps: VerifyDeps): Promise<number> {
  const range = parseRange(args);
  if (range === undefined) {
    deps.print(USAGE);
    return 2;
  }
  const state = await readFollow(deps.pool);
  if (state === undefined || state.backfill !== undefined) {
    deps.print('the back-fill has not ended');
    return 1;
  }
  const to = Math.min(range.to, state.position);
  const first = (await firstPosition(deps.pool)) ?? to;
  const days = dayRanges({ from: range.from, to, first });
  let differing = 0;
  for (const day of days) if (!(await verifyDay(deps, day))) differing += 1;
  deps.print(`${days.length} ranges: ${differing === 0 ? 'no difference' : `${differing} differ`}`);
  return differing === 0 ? 0 : 1;
}

function parseRange(args: readonly string[]): PositionRange | undefined {
  try {
    const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
    const { from, to } = parseArgs({ args: [...args], options }).values;
    const instants = [from, to].map((text) => (text === undefined ? undefined : parseDateTime(text)?.instant));
    if ((from !== undefined && instants[0] === undefined) || (to !== undefined && instants[1] === undefined)) {
      return undefined;
    }
    return { from: instants[0] ?? 0, to: instants[1] ?? Number.MAX_SAFE_INTEGER };
  } catch {
    return undefined;
  }
}

/** False when the day differs, also after it was read again. */
async function verifyDay(deps: VerifyDeps, day: PositionRange): Promise<boolean> {
  if (await isEqual(deps, day)) return true;
  deps.print(`${formatLastDay(day)}: read again`);
  await readAgain(deps, day);
  const repaired = await isEqual(deps, day);
  if (!repaired) deps.print(`${formatLastDay(day)}: differs`);
  return repaired;
}

function formatLastDay({ to }: PositionRange): string {
  return new Date((to - 1) / 1_000).toISOString().slice(0, 10);
}

/** Compares as of the owner's head, which the follower reaches meanwhile. */
async function isEqual(deps: VerifyDeps, { from, to }: PositionRange): Promise<boolean> {
  const question = { from: String(from), to: String(to) };
  const answer = await sendRequest(deps.bus, rpcSubjects.tenderCensus, question, RESPONSE_MS_MAX);
  if (answer.kind === 'unavailable') {
    deps.print('the owner does not answer');
    return false;
  }
  const { count, sum, head } = CensusAnswer.parse(answer.value);
  if (!(await isReached(deps.pool, Number(head)))) {
    deps.print(`the follower has not reached ${head}`);
    return false;
  }
  const own = await readCensus(deps.pool, from, to, Number(head));
  if (own.count === count && own.sum === sum) return true;
  deps.print(`${formatLastDay({ from, to })}: the owner has ${count} tenders, here are ${own.count}`);
  return false;
}

async function isReached(pool: pg.Pool, head: number): Promise<boolean> {
  const pause = makeSignal();
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    if (((await readFollow(pool))?.position ?? 0) >= head) return true;
    await pause.wait(POLL_MS);
  }
  return false;
}

/** Stores the tenders that are missing here, or older than the owner's, as baselines. */
async function readAgain({ pool, bus, log }: VerifyDeps, { from, to }: PositionRange): Promise<void> {
  for (let after = from; ;) {
    const page = await askListing(askedOwner(bus), { after, upTo: to });
    const last = page?.publications.at(-1);
    const state = await readFollow(pool);
    if (page === undefined || last === undefined || state === undefined) return;
    // What is beyond the position comes from the log.
    const publications = page.publications.filter(({ position }) => position <= state.position).map(readPublication);
    try {
      await applyPage({ pool, log }, state, { publications, source: { baseline: true }, step: state });
      after = last.position;
    } catch (error) {
      // The follower goes on meanwhile: this page is asked for again.
      if (!(error instanceof FollowMovedError)) throw error;
    }
  }
}
