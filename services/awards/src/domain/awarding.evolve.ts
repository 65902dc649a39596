import type { AwardingEvent, AwardingState } from './awarding.ts';

/** The state of a tender without events: no awards and no contracts. */
export function emptyAwarding(tenderId: string): AwardingState {
  return { id: tenderId, version: 0, awards: [], contracts: [], complaintOwners: {}, contractOwners: {} };
}

/** The state after these events. Never refuses. */
export function foldAwarding(before: AwardingState, events: readonly AwardingEvent[]): AwardingState {
  let state = before;
  for (const event of events) state = { ...state, ...event.parts, version: state.version + 1 };
  return state;
}
