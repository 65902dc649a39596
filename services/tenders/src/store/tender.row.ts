import { toJsonText } from '@procurement/contracts/json-text';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { z } from 'zod';
import { tenderFacts } from '../domain/tender.facts.ts';
import type { TenderState } from '../domain/tender.ts';
import { DATE_MODIFIED_PLACEHOLDER, FEED_MEMBERS, publicView } from '../domain/tender.view.ts';

/** A tender as it was found. */
export interface TenderRecord {
  readonly state: TenderState;
  readonly publicRev: bigint;
  readonly facts: TenderFacts;
}

/** What a tender is stored as: every text made once, here. */
export interface TenderRow {
  readonly document: string;
  readonly facts: TenderFacts;
  readonly isListed: boolean;
  readonly isTest: boolean;
  /** The public answer before and after the value of dateModified. */
  readonly viewHead: string;
  readonly viewTail: string;
  readonly fastFields: string;
}

const PLACEHOLDER_TEXT = JSON.stringify(DATE_MODIFIED_PLACEHOLDER).slice(1, -1);

/** The texts of a state. */
export function rowOf(state: TenderState): TenderRow {
  const view = publicView(state.document);
  const text = `{"data":${toJsonText(view)}}`;
  const at = text.indexOf(PLACEHOLDER_TEXT);
  return {
    document: toJsonText(state.document),
    facts: tenderFacts(state),
    isListed: state.document.status !== 'draft',
    isTest: state.document.mode === 'test',
    viewHead: text.slice(0, at),
    viewTail: text.slice(at + PLACEHOLDER_TEXT.length),
    fastFields: toJsonText(Object.fromEntries(FEED_MEMBERS.map((name) => [name, view[name]]))),
  };
}

// A row is untrusted input like any other: what is in the text columns is checked as far as a decision relies on it.
const Row = z.object({
  id: z.string(),
  version: z.coerce.number().int(),
  publicRev: z.coerce.bigint(),
  owner: z.string(),
  ownerTokenHash: z.string(),
  transferHash: z.string(),
  document: z.string(),
  facts: z.string(),
});

const DocumentFrame = z.looseObject({ id: z.string(), tenderID: z.string(), status: z.string(), owner: z.string() });

/** A state from its row. Throws when the row is not one of ours. */
export function readRow(given: unknown): TenderRecord {
  const { document, publicRev, facts, ...state } = Row.parse(given);
  // Written by rowOf from a document that had been read whole; its frame is checked, its parts are read again by decisions.
  const parsed = DocumentFrame.parse(JSON.parse(document)) as unknown as StoredTender;
  return { publicRev, facts: TenderFacts.parse(JSON.parse(facts)), state: { ...state, document: parsed } };
}
