import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '@procurement/kit/problem-error';
import { monotonicMs } from '@procurement/kit/time';
import type { Deps } from '../deps.ts';
import { cancelledMeanwhile, showsAddress, showsOutcome } from '../domain/auction-outcome.ts';
import type { ShownTender } from '../domain/auction-record.ts';
import type { AuctionOf } from '../domain/hand-off.ts';
import type { TenderView } from '../store/siblings.ts';

const WAIT_MS_MAX = 5_000;
const LOOK_MS = 20;

/**
 * The tender once it shows what became of results: bids, awards and status come by events of three services
 * (architecture.md, handshake 2). Bounded: results are recorded, and show as soon as those services are back. Throws the 403
 * of a cancellation that came first, 503 when the tender cannot be shown at all.
 */
export async function shownOutcome({ siblings }: Deps, tenderId: string, of: AuctionOf): Promise<TenderView> {
  const view = await untilShown(siblings, tenderId, async (shown) => showsOutcome(shown, of));
  const refusal = cancelledMeanwhile(view.shown, of);
  if (refusal !== undefined) throw new ProblemError(refusal);
  return view;
}

/**
 * The tender once it shows where its auction can be watched, as published last: its `dateModified` is then that of the
 * publication. Whoever applies the event first lets the writer go on, and that may be the bids. Bounded as `shownOutcome`;
 * throws 503 when the tender cannot be shown at all.
 */
export async function shownAddress({ siblings, handOff }: Deps, tenderId: string, of: AuctionOf): Promise<TenderView> {
  // Addresses are read after each look: the tender may show those of a request that came after this one.
  return untilShown(siblings, tenderId, async (shown) => showsAddress(shown, await handOff.addresses(tenderId), of));
}

type Condition = (shown: ShownTender) => Promise<boolean>;

async function untilShown(siblings: Deps['siblings'], tenderId: string, isShown: Condition): Promise<TenderView> {
  const giveUpAtMs = monotonicMs() + WAIT_MS_MAX;
  let last: TenderView | undefined;
  while (monotonicMs() < giveUpAtMs) {
    last = (await lookedAt(siblings, tenderId)) ?? last;
    if (last !== undefined && (await isShown(last.shown))) return last;
    await pause(LOOK_MS);
  }
  return last ?? siblings.view(tenderId);
}

/** Undefined while its owner does not answer. */
async function lookedAt(siblings: Deps['siblings'], tenderId: string): Promise<TenderView | undefined> {
  try {
    return await siblings.view(tenderId);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 503) return undefined;
    throw error;
  }
}
