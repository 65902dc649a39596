import { realTime, tenderTime } from '@procurement/domain/tender-time';
import { hash } from 'node:crypto';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { splitAtDateModified } from '@procurement/domain/date-modified';
import { toJsonText } from '@procurement/domain/json-text';
import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { z } from 'zod';
import { factsOfView } from '../domain/tender.facts.ts';
import { dueAt } from '../domain/tender.timers.ts';
import type { TenderSettings, TenderState } from '../domain/tender.ts';
import { FEED_MEMBERS, publicView } from '../domain/tender.view.ts';

/** A tender as it was loaded. */
export interface TenderRecord {
  readonly state: TenderState;
  readonly publicRev: bigint;
  /** The facts as they are stored; `readFacts` reads them. No decision needs them. */
  readonly factsText: string;
  readonly viewHash: string;
  /** The next deadline that this service acts on, in real time. */
  readonly dueAt: Instant | undefined;
}

/** The columns of a tender. `buildRow` makes each text once. */
export interface TenderRow {
  readonly document: string;
  readonly privateState: string;
  readonly facts: TenderFacts;
  readonly isListed: boolean;
  readonly isTest: boolean;
  /** The text of the public view before and after the value of `dateModified`. */
  readonly viewHead: string;
  readonly viewTail: string;
  readonly viewHash: string;
  readonly fastFields: string;
  readonly dueAt: Instant | undefined;
}

/** The columns of a state at an instant of real time. */
export function buildRow(state: TenderState, realNow: Instant, settings: TenderSettings): TenderRow {
  const now = tenderTime(realNow, state);
  const view = publicView(state, now, settings);
  const text = `{"data":${toJsonText(view)}}`;
  const { head: viewHead, tail: viewTail } = splitAtDateModified(text);
  const { document, clockShift, bidding, bids, awards, documents, held, auctionVersions } = state;
  const { complaintOwners, questionBrokers } = state;
  const dueInTenderTime = dueAt(state, now, settings);
  return {
    document: toJsonText(document),
    privateState: toJsonText({
      complaintOwners,
      questionBrokers,
      clockShift,
      bidding,
      bids,
      awards,
      documents,
      held,
      auctionVersions,
    }),
    facts: factsOfView(state, view),
    isListed: document.status !== 'draft',
    isTest: document.mode === 'test',
    viewHead,
    viewTail,
    viewHash: hash('sha1', text, 'base64'),
    fastFields: toJsonText(Object.fromEntries(FEED_MEMBERS.map((name) => [name, view[name]]))),
    dueAt: dueInTenderTime === undefined ? undefined : realTime(dueInTenderTime, state),
  };
}

/** The text of the public view, if the tender were published at this instant. */
export function viewTextAt({ viewHead, viewTail }: TenderRow, now: Instant): string {
  return viewHead + formatServerDate(now) + viewTail;
}

// A row is untrusted input: the text columns are validated as far as decisions rely on them.
const Row = z.object({
  id: z.string(),
  version: z.coerce.number().int(),
  publicRev: z.coerce.bigint(),
  owner: z.string(),
  ownerTokenHash: z.string(),
  transferHash: z.string(),
  document: z.string(),
  privateState: z.string(),
  facts: z.string(),
  viewHash: z.string(),
  dueAt: z.string().nullable(),
});

const DocumentEssentials = z.object({
  id: z.string(),
  tenderID: z.string(),
  status: z.string(),
  owner: z.string(),
});

const SealedBids = z.array(z.object({ id: z.string(), lots: z.array(z.string()) }));

const PrivateState = z.object({
  complaintOwners: z.record(
    z.string(),
    z.object({ owner: z.string(), tokenHash: z.string(), transferHash: z.string() }),
  ),
  questionBrokers: z.record(z.string(), z.string()),
  clockShift: z.number(),
  bidding: z.union([
    z.object({ phase: z.enum(['open', 'closing']) }),
    z.object({ phase: z.enum(['sealed', 'opening', 'opened']), bids: SealedBids }),
  ]),
  bids: z.array(z.looseObject({ id: z.string() })).optional(),
  awards: AwardFacts.optional(),
  documents: DocumentFacts.optional(),
  held: z.object({ lot: z.string().optional(), at: z.string() }).optional(),
  auctionVersions: z.record(z.string(), z.number()).optional(),
});

/** Columns of a tender under the names that `readRow` expects. */
export const TENDER_COLUMNS = `id, version, public_rev AS "publicRev", owner, owner_token_hash AS "ownerTokenHash",
  transfer_hash AS "transferHash", document, private_state AS "privateState", facts, view_hash AS "viewHash", due_at AS "dueAt"`;

/** The tender of a row. Throws when the row is not valid. */
export function readRow(given: unknown): TenderRecord {
  const { document, privateState, publicRev, facts, viewHash, dueAt: due, ...state } = Row.parse(given);
  const parsed: unknown = JSON.parse(document);
  DocumentEssentials.parse(parsed);
  return {
    // Safe cast: buildRow wrote it from a validated document, its essentials were checked, and decisions validate its parts again.
    // The result of the check is not used, because it changes the order of members, which is published.
    state: { ...state, ...PrivateState.parse(JSON.parse(privateState)), document: parsed as StoredTender },
    publicRev,
    factsText: facts,
    viewHash,
    // Safe cast: the column holds the instant that buildRow computed.
    dueAt: due === null ? undefined : (Number(due) as Instant),
  };
}

const FACTS_VERSION = /"version":(\d+)/;

/** The version at which the facts of a loaded tender changed last (decision 0022). */
export function factsVersion({ factsText, state }: TenderRecord): number {
  return Number(FACTS_VERSION.exec(factsText)?.[1] ?? state.version);
}

/** Whether these facts say the same as those of a loaded tender, apart from their version. */
export function hasEqualFacts(before: TenderRecord, facts: TenderFacts): boolean {
  return JSON.stringify({ ...facts, version: factsVersion(before) }) === before.factsText;
}

/** The facts of a loaded tender. Throws when they are not valid. */
export function readFacts({ factsText }: TenderRecord): TenderFacts {
  return TenderFacts.parse(JSON.parse(factsText));
}
