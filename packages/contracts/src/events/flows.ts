import type { streams } from './subjects.ts';

/** A flow between services: one waits for the answer of another, and asks again until it has it (decision 0062). */
export interface Flow {
  /** The service that waits, asks again and raises the alarm. */
  readonly waits: keyof typeof streams;
  /** Its state while it waits. */
  readonly state: string;
  /** The event type that it publishes again, or the request that it sends again. */
  readonly request: string;
  readonly answeredBy: readonly (keyof typeof streams)[];
  /** What ends the wait. */
  readonly answer: string;
}

/** Every flow that waits, by name. docs/spec/architecture.md has the same table. */
export const flows = {
  planning: {
    waits: 'tenders',
    state: 'an auction needs a start',
    request: 'tender.changed',
    answeredBy: ['auction'],
    answer: 'auction.planned',
  },
  closing: {
    waits: 'tenders',
    state: 'phase `closing`',
    request: 'tender.tendering-ended',
    answeredBy: ['bids'],
    answer: 'bid.set-sealed',
  },
  opening: {
    waits: 'tenders',
    state: 'phase `opening`',
    request: 'tender.qualification-due',
    answeredBy: ['bids', 'awards'],
    answer: 'bid.opened, award.changed',
  },
  erasure: {
    waits: 'tenders',
    state: 'cancelled with unopened bids',
    request: 'tender.cancelled',
    answeredBy: ['bids'],
    answer: 'bid.set-erased',
  },
  'bid-documents': {
    waits: 'bids',
    state: 'phase `opened`',
    request: 'ask.documents.open',
    answeredBy: ['documents'],
    answer: 'the reply',
  },
  addresses: {
    waits: 'auction',
    state: 'addresses were published',
    request: 'auction.urls-published',
    answeredBy: ['tenders', 'bids'],
    answer: 'replies to ask.tenders.view, ask.bids.links',
  },
  results: {
    waits: 'auction',
    state: 'results were reported',
    request: 'auction.finished',
    answeredBy: ['bids', 'tenders'],
    answer: 'reply to ask.tenders.view',
  },
  awarding: {
    waits: 'awards',
    state: 'awards or contracts changed',
    request: 'award.changed',
    answeredBy: ['tenders'],
    answer: 'awardsVersion in tender.changed',
  },
  documents: {
    waits: 'documents',
    state: 'public documents changed',
    request: 'document.changed',
    answeredBy: ['tenders'],
    answer: 'documentsVersion in tender.changed',
  },
} as const satisfies Record<string, Flow>;

type FlowName = keyof typeof flows;

/** The flows in which a service waits. Its table of handlers has this type, so that none is forgotten. */
export type FlowOf<Service extends Flow['waits']> = {
  [Name in FlowName]: (typeof flows)[Name]['waits'] extends Service ? Name : never;
}[FlowName];
