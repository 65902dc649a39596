import { z } from 'zod';
import { always, list, model } from '../reading/composites.ts';
import { boolean, choice, dateTime, integer, text, url } from '../reading/scalars.ts';
import type { StoredCancellation } from './cancellation.ts';
import type { StoredComplaint } from './complaint.ts';
import { elsewhere } from './elsewhere.ts';
import { Feature } from './feature.ts';
import { EarlyItem, Item } from './item.ts';
import { Lot } from './lot.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';
import { EarlyProcuringEntity, ProcuringEntity } from './organization.ts';
import { AuctionPeriod, Period, PeriodEndRequired } from './period.ts';
import type { StoredQuestion } from './question.ts';
import { referenceFaults } from './tender-references.ts';
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

const served = {
  id: text().optional(),
  tenderID: text().optional(),
  date: dateTime().optional(),
  dateModified: dateTime().optional(),
  owner: text().optional(),
  next_check: dateTime().optional(),
  auctionPeriod: AuctionPeriod.optional(),
  auctionUrl: url().optional(),
  awardPeriod: Period.optional(),
  numberOfBids: integer().optional(),
};

const members = {
  ...multilingualRequired('title'),
  ...multilingual('description'),
  ...served,
  owner_token: text().optional(),
  status: choice(TENDER_STATUSES).optional(),
  mode: choice(['test']).optional(),
  procurementMethod: choice(['open', 'selective', 'limited']).optional(),
  procurementMethodType: text().optional(),
  ...multilingual('procurementMethodRationale'),
  submissionMethod: choice(['electronicAuction', 'electronicSubmission', 'written', 'inPerson']).optional(),
  ...multilingual('submissionMethodDetails'),
  awardCriteria: choice(['lowestCost', 'bestProposal', 'bestValueToGovernment', 'singleBidOnly']).optional(),
  ...multilingual('awardCriteriaDetails'),
  ...multilingual('eligibilityCriteria'),
  hasEnquiries: boolean().optional(),
  numberOfBidders: integer().optional(),
  procuringEntity: ProcuringEntity,
  value: Value,
  guarantee: Guarantee.optional(),
  minimalStep: Value,
  enquiryPeriod: PeriodEndRequired,
  tenderPeriod: PeriodEndRequired,
  items: list(Item, { min: 1 }),
  features: list(Feature).optional(),
  lots: list(Lot).optional(),
  documents: elsewhere,
  bids: elsewhere,
  awards: elsewhere,
  contracts: elsewhere,
  questions: elsewhere,
  complaints: elsewhere,
  cancellations: elsewhere,
};

function tellReferences(tender: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const { path, message } of referenceFaults(tender)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

/** Only what must hold between the parts of a tender: for one that was read before, and has lost or got a part since. */
export const TenderReferences = z
  .looseObject({ items: elsewhere, features: elsewhere, lots: elsewhere })
  .superRefine(tellReferences, always);

/** What may be sent for a tender, and what a merged tender must satisfy (tenders.md 3.1). */
export const TenderInput = model('Tender', members).superRefine(tellReferences, always).meta({ id: 'TenderInput' });

/** The same in the sandbox, where a tender may ask for its clock to run faster (tenders.md 7.3). */
export const SandboxTenderInput = model('Tender', { ...members, procurementMethodDetails: text().optional() })
  .superRefine(tellReferences, always)
  .meta({ id: 'SandboxTenderInput' });

const early = {
  ...members,
  procurementMethodDetails: text().optional(),
  procuringEntity: EarlyProcuringEntity,
  items: list(EarlyItem, { min: 1 }),
};

/** The same by generation 0, which has less to say of buyers and units (generations.md 5.7). */
export const EarlyTenderInput = model('Tender', early)
  .superRefine(tellReferences, always)
  .meta({ id: 'EarlyTenderInput' });

/** Parts that generation 0.1 may bring later, by a change; once there, they stay (generations.md 5.7). */
export const TENDER_PARTS = [
  'title',
  'procuringEntity',
  'value',
  'minimalStep',
  'enquiryPeriod',
  'tenderPeriod',
  'items',
] as const;

/** The same by generation 0.1, whose tender may begin with nothing at all. What is sent of a part must be whole. */
export const BareTenderInput = model('Tender', {
  ...early,
  title: early.title.optional(),
  procuringEntity: early.procuringEntity.optional(),
  value: early.value.optional(),
  minimalStep: early.minimalStep.optional(),
  enquiryPeriod: Period.optional(),
  tenderPeriod: Period.optional(),
  items: early.items.optional(),
})
  .superRefine(tellReferences, always)
  .meta({ id: 'BareTenderInput' });
export type TenderInput = z.infer<typeof BareTenderInput>;

/** A tender as rules look at it: just read, or stored. */
export interface ReadTender extends Omit<TenderInput, 'items' | 'features' | 'lots'> {
  readonly items?: readonly Item[] | undefined;
  readonly features?: readonly Feature[] | undefined;
  readonly lots?: readonly Lot[] | undefined;
}

/** An item, feature or lot of a stored tender has its identifier. */
export type StoredItem = Item & { readonly id: string };
export type StoredFeature = Feature & { readonly code: string };
export type StoredLot = Lot & {
  readonly id: string;
  readonly status: NonNullable<Lot['status']>;
  readonly date: string;
};

/** A tender as it is stored: everything public but `dateModified` and `next_check`, which belong to the moment it is shown. */
export interface StoredTender extends Omit<
  TenderInput,
  | 'owner_token'
  | 'dateModified'
  | 'next_check'
  | 'items'
  | 'features'
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
  readonly owner: string;
  readonly status: TenderStatus;
  readonly items?: readonly StoredItem[] | undefined;
  readonly features?: readonly StoredFeature[] | undefined;
  readonly lots?: readonly StoredLot[] | undefined;
  readonly questions?: readonly StoredQuestion[] | undefined;
  readonly complaints?: readonly StoredComplaint[] | undefined;
  readonly cancellations?: readonly StoredCancellation[] | undefined;
}

/** A tender as anyone sees it. For the reference: answers are text that was made when the tender was stored. */
export const Tender = z
  .looseObject({
    ...SandboxTenderInput.shape,
    id: text(),
    tenderID: text(),
    date: dateTime(),
    dateModified: dateTime(),
    owner: text(),
    status: choice(TENDER_STATUSES),
  })
  .omit({ owner_token: true })
  .meta({ id: 'Tender' });
