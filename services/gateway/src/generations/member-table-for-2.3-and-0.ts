import type { Resource } from './resource.ts';
import { withTranslations } from './translations.ts';

export type Segment23Or0 = '2.3' | '0';

/** One member of a type on segments 2.3 and 0: its canonical name and its wire name on each segment. */
export interface Member23And0 {
  readonly name: string;
  /** Wire name; absent: not shown, still accepted under the canonical name. */
  readonly '2.3'?: string;
  readonly '0'?: string;
  /** Set by the service: ignored in a request. */
  readonly readOnly?: true;
}

interface MemberTraits {
  readonly readOnly?: true;
}

function renamed(name: string, wire: string, traits: MemberTraits = {}): Member23And0 {
  return { name, '2.3': wire, '0': wire, ...traits };
}

function shown(...names: readonly string[]): readonly Member23And0[] {
  return names.map((name) => renamed(name, name));
}

function shownOn23Only(names: readonly string[], traits: MemberTraits = {}): readonly Member23And0[] {
  return names.map((name) => ({ name, '2.3': name, ...traits }));
}

function hidden(...names: readonly string[]): readonly Member23And0[] {
  return names.map((name) => ({ name }));
}

/** Types that segments 2.3 and 0 show in another form than 2.5. */
export type ChangedType =
  | 'Tender'
  | 'Bid'
  | 'Award'
  | 'Contract'
  | 'StandaloneContract'
  | 'ContractValue'
  | 'Party'
  | 'PartyIdentifier'
  | 'BusinessOrganization'
  | 'Document'
  | 'Auction';

/** What followed the signature of a contract is shown on 2.5 only (rulings R43). */
const CONTRACT: readonly Member23And0[] = [
  ...shown('id', 'awardID', 'contractID', 'contractNumber'),
  ...shown(...withTranslations('title'), ...withTranslations('description')),
  ...shown('status', 'period', 'value', 'dateSigned', 'date', 'items', 'suppliers', 'documents'),
  ...hidden('dateCreated', 'implementation'),
];

/**
 * The decision on each member of these types (generations.md 3). The encoders hide and rename by this table, and so do
 * the error names, the PUT on segment 0 and the OpenAPI schemas. A member without a row is shown under its canonical
 * name; member-decisions.test.ts fails for it.
 */
const CHANGED_TYPES: Readonly<Record<ChangedType, readonly Member23And0[]>> = {
  Tender: [
    ...shown('id', 'tenderID', 'dateModified', 'status', 'owner'),
    ...shown(...withTranslations('title'), ...withTranslations('description')),
    ...shown('value', 'minimalStep', 'enquiryPeriod', 'tenderPeriod', 'auctionPeriod', 'auctionUrl', 'awardPeriod'),
    ...shown('items', 'procuringEntity', 'numberOfBids'),
    ...shown('documents', 'questions', 'complaints', 'bids', 'awards'),
    ...shownOn23Only(['mode', 'procurementMethodType', 'procurementMethodDetails']),
    ...shownOn23Only(withTranslations('procurementMethodRationale')),
    ...shownOn23Only(withTranslations('submissionMethodDetails')),
    ...shownOn23Only(withTranslations('awardCriteriaDetails')),
    ...shownOn23Only(withTranslations('eligibilityCriteria')),
    ...shownOn23Only(['hasEnquiries', 'guarantee', 'features', 'lots']),
    ...shownOn23Only(['date', 'procurementMethod', 'submissionMethod', 'awardCriteria'], { readOnly: true }),
    ...shownOn23Only(['numberOfBidders', 'next_check', 'contracts', 'cancellations'], { readOnly: true }),
    ...hidden('mainProcurementCategory', 'milestones', 'dateCreated', 'bidsSeal'),
  ],
  Bid: [
    ...shown('id', 'date', 'status', 'tenderers', 'value', 'parameters', 'lotValues', 'documents', 'participationUrl'),
    ...hidden('selfEligible', 'selfQualified', 'subcontractingDetails'),
  ],
  Award: [
    renamed('id', 'awardID', { readOnly: true }),
    renamed('date', 'awardDate', { readOnly: true }),
    renamed('status', 'awardStatus'),
    renamed('value', 'awardValue'),
    ...shown('suppliers', 'bid_id', 'lotID', ...withTranslations('title'), ...withTranslations('description')),
    ...shown('items', 'documents', 'complaints', 'complaintPeriod'),
  ],
  Contract: CONTRACT,
  /** A contract at its own address: segments 2.5 and 2.3 (rulings R34). */
  StandaloneContract: [
    ...CONTRACT,
    ...shown('tender_id', 'owner'),
    ...hidden('amountPaid', 'terminationDetails', 'changes'),
    ...hidden('dateModified', 'mode', 'procuringEntity', 'buyer'),
  ],
  ContractValue: [...shown('amount', 'currency', 'valueAddedTaxIncluded'), ...hidden('amountNet')],
  /** Element of `tenderers` or `suppliers`; party.ts writes it. */
  Party: [
    renamed('name', 'id'),
    renamed('identifier', 'id'),
    ...shown('address'),
    ...hidden('name_en', 'name_ru', 'additionalIdentifiers', 'contactPoint', 'scale'),
  ],
  /** Supplier of a contract. */
  BusinessOrganization: [
    ...shown(...withTranslations('name'), 'identifier', 'additionalIdentifiers', 'address', 'contactPoint'),
    ...hidden('scale'),
  ],
  PartyIdentifier: [...shown('scheme', 'uri'), renamed('id', 'uid'), ...hidden(...withTranslations('legalName'))],
  /** Documents at any depth (document-members.ts). */
  Document: [
    ...shown('id', ...withTranslations('title'), ...withTranslations('description'), 'format', 'url', 'documentType'),
    ...shown('datePublished', 'dateModified', 'language', 'hash', 'documentOf', 'relatedItem', 'author'),
    ...shown('previousVersions'),
    ...hidden('sha256'),
  ],
  /** The record of the auction; of `minimalStep` and `tenderPeriod` a part is shown (v2.3/auction.ts). */
  Auction: [
    ...shown('tenderID', 'dateModified', 'bids', 'minimalStep', 'tenderPeriod', 'auctionPeriod', 'auctionUrl', 'items'),
    ...shownOn23Only([...withTranslations('submissionMethodDetails'), 'features', 'lots'], { readOnly: true }),
  ],
};

/** The type that the routes of a resource carry, when it has another form than in 2.5. */
export const TYPE_OF_RESOURCE: Readonly<Partial<Record<Resource, ChangedType>>> = {
  tender: 'Tender',
  bid: 'Bid',
  award: 'Award',
  auction: 'Auction',
};

/** The rows of a type. */
export function membersOf(type: ChangedType): readonly Member23And0[] {
  return CHANGED_TYPES[type];
}

/** Members of a type that a segment does not show. */
export function hiddenMembers(type: ChangedType, segment: Segment23Or0): readonly Member23And0[] {
  return CHANGED_TYPES[type].filter((member) => member[segment] === undefined);
}

/** The wire name of a member: undefined when it is hidden; a member without a row keeps its name. */
export function wireName(type: ChangedType, segment: Segment23Or0, name: string): string | undefined {
  const member = CHANGED_TYPES[type].find((row) => row.name === name);
  return member === undefined ? name : member[segment];
}
