import type { TenderEvent, TenderState } from './tender.ts';

/** The state after an event. Throws only on events that no decision can produce. */
function evolveTender(state: TenderState | undefined, event: TenderEvent): TenderState {
  switch (event.type) {
    case 'TenderCreated': {
      const { id, owner, ownerTokenHash, transferHash, document } = event;
      const parts = {
        document,
        complaintOwners: {},
        questionBrokers: {},
        clockShift: 0,
        bidding: { phase: 'open' },
      } as const;
      return { id, version: 1, owner, ownerTokenHash, transferHash, ...parts };
    }
    case 'TenderChanged': {
      if (state === undefined) throw new Error('TenderChanged without a tender');
      return { ...state, ...event.parts, version: state.version + 1 };
    }
    case 'TenderOwnerChanged': {
      if (state === undefined) throw new Error('TenderOwnerChanged without a tender');
      const { owner, tokenHash: ownerTokenHash, transferHash } = event.owner;
      const document = { ...state.document, owner };
      return { ...state, owner, ownerTokenHash, transferHash, document, version: state.version + 1 };
    }
    case 'TenderingEnded':
    case 'QualificationDue':
    case 'TenderCancelled': {
      if (state === undefined) throw new Error(`${event.type} without a tender`);
      return state;
    }
    default:
      return event satisfies never;
  }
}

/** The state after all events, in their order. */
export function foldTender(before: TenderState | undefined, events: readonly TenderEvent[]): TenderState {
  let state = before;
  for (const event of events) state = evolveTender(state, event);
  if (state === undefined) throw new Error('no events and no tender to fold');
  return state;
}
