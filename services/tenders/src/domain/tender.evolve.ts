import type { TenderEvent, TenderState } from './tender.ts';

/** The state after an event. Never refuses: what happened has happened. */
function evolveTender(state: TenderState | undefined, event: TenderEvent): TenderState {
  switch (event.type) {
    case 'TenderCreated': {
      const { id, owner, ownerTokenHash, transferHash, document } = event;
      return { id, version: 1, owner, ownerTokenHash, transferHash, document };
    }
    case 'TenderChanged': {
      if (state === undefined) throw new Error('a tender was changed before it was created');
      return { ...state, version: state.version + 1, document: event.document };
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
