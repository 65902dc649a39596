import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Deps } from '../deps.ts';
import { cancellationRefusal, hasAddress, hasOutcome } from '../domain/auction-outcome.ts';
import type { PublicTender } from '../domain/auction-record.ts';
import type { AuctionRef } from '../domain/hand-off.ts';
import type { TenderView } from '../store/other-services.ts';

const WAIT_MS_MAX = 5_000;
const POLL_INTERVAL_MS = 20;

/**
 * The tender once it shows what became of results: bids, awards and status come by events of three services
 * (architecture.md, handshake 2). Bounded: results are recorded, and show as soon as those services are back. Throws the 403
 * of a cancellation that came first, 503 when the tender cannot be shown at all.
 */
export async function awaitOutcome(
  { otherServices }: Deps,
  tenderId: string,
  auction: AuctionRef,
): Promise<TenderView> {
  const view = await pollView(otherServices, tenderId, async (shown) => hasOutcome(shown, auction));
  const refusal = cancellationRefusal(view.publicTender, auction);
  if (refusal !== undefined) throw new ProblemError(refusal);
  return view;
}

/**
 * The tender once it shows where its auction can be watched, as published last: its `dateModified` is then that of the
 * publication. Whoever applies the event first lets the writer go on, and that may be the bids. Bounded as `shownOutcome`;
 * throws 503 when the tender cannot be shown at all.
 */
export async function awaitAddress(
  { otherServices, handOff }: Deps,
  tenderId: string,
  auction: AuctionRef,
): Promise<TenderView> {
  // Addresses are read after each look: the tender may show those of a request that came after this one.
  return pollView(otherServices, tenderId, async (shown) =>
    hasAddress(shown, await handOff.addresses(tenderId), auction),
  );
}

type Condition = (shown: PublicTender) => Promise<boolean>;

async function pollView(
  otherServices: Deps['otherServices'],
  tenderId: string,
  isShown: Condition,
): Promise<TenderView> {
  const giveUpAtMs = monotonicMs() + WAIT_MS_MAX;
  let last: TenderView | undefined;
  while (monotonicMs() < giveUpAtMs) {
    last = (await tryView(otherServices, tenderId)) ?? last;
    if (last !== undefined && (await isShown(last.publicTender))) return last;
    await pause(POLL_INTERVAL_MS);
  }
  return last ?? otherServices.view(tenderId);
}

/** Undefined while its owner does not answer. */
async function tryView(otherServices: Deps['otherServices'], tenderId: string): Promise<TenderView | undefined> {
  try {
    return await otherServices.view(tenderId);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 503) return undefined;
    throw error;
  }
}
