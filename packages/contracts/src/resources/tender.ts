import { z } from 'zod';
import { evenAfterErrors, list, model } from '../reading/composites.ts';
import { boolean, oneOf, dateTime, forbidden, integer, text, url } from '../reading/scalars.ts';
import { Award } from './award.ts';
import { Bid } from './bid.ts';
import { Cancellation, type StoredCancellation } from './cancellation.ts';
import { Complaint, type StoredComplaint } from './complaint.ts';
import { Contract } from './contract.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { Feature } from './feature.ts';
import { EarlyItem, Item } from './item.ts';
import { Lot, LotInput, LotWithoutAuctionInput } from './lot.ts';
import { Milestones, type Milestone } from './milestone.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';
import { EarlyProcuringEntity, ProcuringEntity } from './organization.ts';
import { AuctionPeriod, Period, PeriodEndRequired } from './period.ts';
import { Question, type StoredQuestion } from './question.ts';
import { referenceErrors } from './tender-references.ts';
import { Guarantee, Value } from './value.ts';

/** tenders.md 8.1. */
export const TENDER_STATUSES = [
  'draft',
  'active.enquiries',
  'active.tendering',
  'active.auction',
  'active.qualification',
  'active.awarded',
  'complete',
  'cancelled',
  'unsuccessful',
] as const;
export type TenderStatus = (typeof TENDER_STATUSES)[number];
const STATUSES_WITHOUT_AUCTION = TENDER_STATUSES.filter((status) => status !== 'active.auction');

/** The set of bids, as it was fixed at the closing: the hash of its text, which is disclosed after the opening (proof.md 5). */
const BidsSeal = model('BidsSeal', {
  date: dateTime(),
  hash: text('identifier', { meta: { pattern: '^sha256:[0-9a-f]{64}$' } }),
}).meta({ id: 'BidsSeal' });

const serviceManaged = {
  id: text('identifier').optional(),
  tenderID: text('identifier').optional(),
  date: dateTime().optional(),
  dateCreated: dateTime().optional(),
  dateModified: dateTime().optional(),
  owner: text('identifier').optional(),
  next_check: dateTime().optional(),
  auctionPeriod: AuctionPeriod.optional(),
  auctionUrl: url().optional(),
  awardPeriod: Period.optional(),
  numberOfBids: integer().optional(),
  bidsSeal: BidsSeal.optional(),
};

const tenderMembers = {
  ...multilingualRequired('title', 'title'),
  ...multilingual('description', 'description'),
  ...serviceManaged,
  owner_token: text('identifier').optional(),
  status: oneOf(TENDER_STATUSES).optional(),
  mode: oneOf(['test']).optional(),
  procurementMethod: oneOf(['open', 'selective', 'limited']).optional(),
  // Another one is refused before the body is read (tenders.md 1.3); the pattern is for OpenAPI.
  procurementMethodType: text('identifier', { meta: { pattern: '^belowThreshold$' } }).optional(),
  ...multilingual('procurementMethodRationale', 'description'),
  submissionMethod: oneOf(['electronicAuction', 'electronicSubmission', 'written', 'inPerson']).optional(),
  ...multilingual('submissionMethodDetails', 'name'),
  awardCriteria: oneOf(['lowestCost', 'bestProposal', 'bestValueToGovernment', 'singleBidOnly']).optional(),
  ...multilingual('awardCriteriaDetails', 'description'),
  ...multilingual('eligibilityCriteria', 'description'),
  mainProcurementCategory: oneOf(['goods', 'services', 'works']).optional(),
  milestones: Milestones.optional(),
  hasEnquiries: boolean().optional(),
  numberOfBidders: integer().optional(),
  procuringEntity: ProcuringEntity,
  value: Value,
  guarantee: Guarantee.optional(),
  minimalStep: Value,
  enquiryPeriod: PeriodEndRequired,
  tenderPeriod: PeriodEndRequired,
  items: list('items', Item, { min: 1 }),
  features: list('features', Feature).optional(),
  lots: list('lots', LotInput).optional(),
  documents: ignoredMember,
  bids: ignoredMember,
  awards: ignoredMember,
  contracts: ignoredMember,
  questions: ignoredMember,
  complaints: ignoredMember,
  cancellations: ignoredMember,
};

function addReferenceErrors(tender: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const { path, message } of referenceErrors(tender)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

/** Only the rules between parts of a tender: for a stored tender to which a part was added or from which one was removed. */
export const TenderReferences = z
  .looseObject({ items: ignoredMember, features: ignoredMember, lots: ignoredMember, milestones: ignoredMember })
  .superRefine(addReferenceErrors, evenAfterErrors);

/** A body with the rules between its parts. */
function makeBody<S extends z.ZodRawShape>(id: string, members: S) {
  return model('Tender', members).superRefine(addReferenceErrors, evenAfterErrors).meta({ id });
}

/** Body of POST and PUT, and the schema of a merged PATCH (tenders.md 3.1). */
export const TenderInput = makeBody('TenderInput', tenderMembers);

const sandboxMembers = { ...tenderMembers, procurementMethodDetails: text('name').optional() };

/** The body in the sandbox, where `procurementMethodDetails` can accelerate the procedure (tenders.md 7.3). */
export const SandboxTenderInput = makeBody('SandboxTenderInput', sandboxMembers);

const earlyMembers = {
  ...sandboxMembers,
  procuringEntity: EarlyProcuringEntity,
  items: list('items', EarlyItem, { min: 1 }),
  title: tenderMembers.title.optional(),
  minimalStep: tenderMembers.minimalStep.optional(),
};

/**
 * The body by generation 0, with fewer required members (generations.md 5.7). The gateway derives an absent title from the items and
 * an absent step from the value.
 */
export const EarlyTenderInput = makeBody('EarlyTenderInput', earlyMembers);

/** Members that generation 0.1 may send later, in a PATCH. Once set, they cannot be removed (generations.md 5.7). */
export const DEFERRABLE_TENDER_MEMBERS = [
  'title',
  'procuringEntity',
  'value',
  'minimalStep',
  'enquiryPeriod',
  'tenderPeriod',
  'items',
] as const;

const bareMembers = {
  ...earlyMembers,
  procuringEntity: earlyMembers.procuringEntity.optional(),
  value: earlyMembers.value.optional(),
  enquiryPeriod: Period.optional(),
  tenderPeriod: Period.optional(),
  items: earlyMembers.items.optional(),
};

/** The body by generation 0.1: all members are optional. A part that is sent must be complete. */
export const BareTenderInput = makeBody('BareTenderInput', bareMembers);

/** What a tender without auction has differently (rulings R44): nothing of an auction, and no status in which one is held. */
const withoutAuction = {
  status: oneOf(STATUSES_WITHOUT_AUCTION).optional(),
  minimalStep: forbidden(),
  submissionMethod: forbidden(),
  submissionMethodDetails: forbidden(),
  submissionMethodDetails_en: forbidden(),
  submissionMethodDetails_ru: forbidden(),
  lots: list('lots', LotWithoutAuctionInput).optional(),
};

/** The same bodies for a tender without auction. */
export const TenderWithoutAuctionInput = makeBody('TenderWithoutAuctionInput', { ...tenderMembers, ...withoutAuction });
export const SandboxTenderWithoutAuctionInput = makeBody('SandboxTenderWithoutAuctionInput', {
  ...sandboxMembers,
  ...withoutAuction,
});
export const EarlyTenderWithoutAuctionInput = makeBody('EarlyTenderWithoutAuctionInput', {
  ...earlyMembers,
  ...withoutAuction,
});
export const BareTenderWithoutAuctionInput = makeBody('BareTenderWithoutAuctionInput', {
  ...bareMembers,
  ...withoutAuction,
});

/** `config` beside `data`. Field tools send more members of it, which are ignored (rulings R44). */
export const TenderConfig = z
  .looseObject({ hasAuction: boolean().optional() })
  .meta({ id: 'TenderConfig', description: 'Absent when the tender has an auction' });

export type TenderConfig = z.infer<typeof TenderConfig>;

/** A tender that was read by any of the bodies. */
export interface TenderInput extends Omit<z.infer<typeof BareTenderInput>, 'lots'> {
  readonly lots?: readonly Lot[] | undefined;
}

/** A tender as rules use it: just parsed, or stored. */
export interface ReadTender extends Omit<TenderInput, 'items' | 'milestones' | 'features' | 'lots'> {
  readonly items?: readonly Item[] | undefined;
  readonly milestones?: readonly Milestone[] | undefined;
  readonly features?: readonly Feature[] | undefined;
  readonly lots?: readonly Lot[] | undefined;
}

/** Items, milestones, features and lots of a stored tender have identifiers. */
export type StoredItem = Item & { readonly id: string };
export type StoredMilestone = Milestone & { readonly id: string };
export type StoredFeature = Feature & { readonly code: string };
export type StoredLot = Lot & {
  readonly id: string;
  readonly status: NonNullable<Lot['status']>;
  readonly date: string;
};

/** A stored tender: the public members except `dateModified` and `next_check`, which are computed for the view. */
export interface StoredTender extends Omit<
  TenderInput,
  | 'owner_token'
  | 'dateModified'
  | 'next_check'
  | 'items'
  | 'features'
  | 'milestones'
  | 'lots'
  | 'status'
  | 'questions'
  | 'complaints'
  | 'cancellations'
  | 'bids'
  | 'awards'
  | 'contracts'
  | 'documents'
  | 'numberOfBids'
> {
  readonly id: string;
  readonly tenderID: string;
  readonly date: string;
  readonly dateCreated: string;
  readonly owner: string;
  readonly status: TenderStatus;
  readonly items?: readonly StoredItem[] | undefined;
  readonly milestones?: readonly StoredMilestone[] | undefined;
  readonly features?: readonly StoredFeature[] | undefined;
  readonly lots?: readonly StoredLot[] | undefined;
  readonly questions?: readonly StoredQuestion[] | undefined;
  readonly complaints?: readonly StoredComplaint[] | undefined;
  readonly cancellations?: readonly StoredCancellation[] | undefined;
}

/** A tender in answers. For OpenAPI only: answers are text that was made when the tender was stored. */
export const Tender = z
  .looseObject({
    ...SandboxTenderInput.shape,
    minimalStep: Value.optional(),
    lots: z.array(Lot).optional(),
    id: text('identifier'),
    tenderID: text('identifier'),
    date: dateTime(),
    dateCreated: dateTime(),
    dateModified: dateTime(),
    owner: text('identifier'),
    status: oneOf(TENDER_STATUSES),
    documents: z.array(Document).optional(),
    bids: z.array(Bid).optional(),
    awards: z.array(Award).optional(),
    contracts: z.array(Contract).optional(),
    questions: z.array(Question).optional(),
    complaints: z.array(Complaint).optional(),
    cancellations: z.array(Cancellation).optional(),
  })
  .omit({ owner_token: true })
  .meta({ id: 'Tender' });
