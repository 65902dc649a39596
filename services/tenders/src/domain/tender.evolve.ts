import type { TenderEvent, TenderState } from './tender.ts';

/** The state after an event. Never refuses: what happened has happened. */
function evolveTender(state: TenderState | undefined, event: TenderEvent): TenderState {
  switch (event.type) {
    case 'TenderCreated': {
      const { id, owner, ownerTokenHash, transferHash, document } = event;
      const parts = { document, complaintOwners: {}, clockShift: 0, bidding: { phase: 'open' } } as const;
      return { id, version: 1, owner, ownerTokenHash, transferHash, ...parts };
    }
    case 'TenderChanged': {
      if (state === undefined) throw new Error('a tender was changed before it was created');
      return { ...state, ...event.parts, version: state.version + 1 };
    }
    case 'TenderingEnded':
    case 'QualificationDue':
    case 'TenderCancelled': {
      if (state === undefined) throw new Error('a tender called upon its siblings before it was created');
      return state;
    }
    default:
      return event satisfies never;
  }
}

/** The state after all of these events. */
export function foldTender(before: TenderState | undefined, events: readonly TenderEvent[]): TenderState {
  let state = before;
  for (const event of events) state = evolveTender(state, event);
  if (state === undefined) throw new Error('nothing has happened to this tender');
  return state;
}
