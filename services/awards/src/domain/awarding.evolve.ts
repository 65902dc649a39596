import type { AwardingEvent, AwardingState } from './awarding.ts';

/** The awarding of a tender to which nothing has happened yet. */
export function emptyAwarding(tenderId: string): AwardingState {
  return { id: tenderId, version: 0, awards: [], contracts: [], complaintOwners: {}, contractOwners: {} };
}

/** The state after all of these events. Never refuses: what happened has happened. */
export function foldAwarding(before: AwardingState, events: readonly AwardingEvent[]): AwardingState {
  let state = before;
  for (const event of events) state = { ...state, ...event.parts, version: state.version + 1 };
  return state;
}
