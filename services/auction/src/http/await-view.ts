import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Caller } from '@procurement/kit/runtime/caller';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Deps } from '../deps.ts';
import { cancellationRefusal, hasAddress, hasOutcome } from '../domain/auction-outcome.ts';
import type { PublicTender } from '../domain/auction-record.ts';
import type { AuctionRef } from '../domain/hand-off.ts';
import type { TenderView } from '../store/other-services.ts';

const WAIT_MS_MAX = 5_000;
const POLL_INTERVAL_MS = 20;

/**
 * Waits until the tender shows the effect of reported results: bids, awards and status come by events of three services
 * (architecture.md, handshake 2). Waits at most 5 s, then resolves with the last view: the results are stored and take effect
 * when those services are back. Throws 403 after a cancellation, 503 when the tenders service never responded.
 */
export async function awaitOutcome(
  { otherServices }: Deps,
  tenderId: string,
  auction: AuctionRef,
  caller: Caller,
): Promise<TenderView> {
  const view = await pollView(otherServices, tenderId, caller, async (tender) => hasOutcome(tender, auction));
  const refusal = cancellationRefusal(view.publicTender, auction);
  if (refusal !== undefined) throw new ProblemError(refusal);
  return view;
}

/**
 * Waits until the tender shows the last published address, so that its `dateModified` is that of the publication. The ack of
 * the event is not enough: it may come from the bids service, before the tenders service has applied it. Waits at most 5 s,
 * then resolves with the last view; throws 503 when the tenders service never responded.
 */
export async function awaitAddress(
  { otherServices, handOff }: Deps,
  tenderId: string,
  auction: AuctionRef,
  caller: Caller,
): Promise<TenderView> {
  // Addresses are read after each view, because the tender may show those of a later request.
  return pollView(otherServices, tenderId, caller, async (tender) =>
    hasAddress(tender, await handOff.addresses(tenderId), auction),
  );
}

type Condition = (tender: PublicTender) => Promise<boolean>;

async function pollView(
  otherServices: Deps['otherServices'],
  tenderId: string,
  caller: Caller,
  isShown: Condition,
): Promise<TenderView> {
  const giveUpAtMs = monotonicMs() + WAIT_MS_MAX * otherServices.waitFactor;
  let last: TenderView | undefined;
  while (monotonicMs() < giveUpAtMs) {
    last = (await tryView(otherServices, tenderId)) ?? last;
    if (last !== undefined && (await isShown(last.publicTender))) return last;
    await pause(POLL_INTERVAL_MS);
  }
  return last ?? otherServices.view(tenderId, caller);
}

/** The view of the tender; undefined while the tenders service is unavailable. */
async function tryView(otherServices: Deps['otherServices'], tenderId: string): Promise<TenderView | undefined> {
  try {
    return await otherServices.view(tenderId);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 503) return undefined;
    throw error;
  }
}
