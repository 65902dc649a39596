import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from '../domain/auction.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';
import type { Command } from '../domain/commands.ts';
import type { AuctionEvent } from '../domain/events.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { LockedRow } from './auction.row.ts';

/** An outage is stored also when the command that found it is refused. */
export function decideAfterOutages(
  auction: Auction,
  { outages, aheadMicros }: Pick<LockedRow, 'outages' | 'aheadMicros'>,
  { command, now }: { readonly command: Command; readonly now: Instant },
): { readonly auction: Auction; readonly events: readonly AuctionEvent[]; readonly refused?: Refusal } {
  const ahead = (instant: Instant): Instant => addMicros(instant, aheadMicros);
  let state = auction;
  const events: AuctionEvent[] = [];
  const append = (accepted: readonly AuctionEvent[]): void => {
    events.push(...accepted);
    state = foldOnto(state, accepted);
  };
  for (const outage of outages) {
    const [awayFrom, awayUntil] = [ahead(outage.awayFrom), ahead(outage.awayUntil)];
    const comeBack = decide(state, { type: 'ComeBack', awayFrom, awayUntil }, awayUntil);
    if ('accepted' in comeBack) append(comeBack.accepted);
  }
  const decision = decide(state, command, ahead(now));
  if ('refused' in decision) return { auction: state, events, refused: decision.refused };
  append(decision.accepted);
  return { auction: state, events };
}
