import { CLASSIFICATION_IDENTITY, ORGANIZATION_IDENTITY, type IdentityRule } from '../identity-change.ts';
import { withTranslations } from '../translations.ts';

/** One member of a type on segment 0.1: its canonical name and its wire names in the two generations. */
export interface MemberMapping {
  readonly name: string;
  /** Wire name; absent: hidden, still accepted under the canonical name. */
  readonly middle?: string;
  readonly earliest?: string;
  /** Type of the value or of the elements of the list; absent: a value that passes unchanged. */
  readonly valueType?: TypeName;
  readonly list?: true;
  /** Set by the service: ignored in a request. */
  readonly readOnly?: true;
}

export interface TypeMapping {
  readonly members: readonly MemberMapping[];
  readonly identity?: IdentityRule;
  /**
   * Written as, or inside, `{id: {name, scheme, uid, uri}}` (party.ts): a request has no member under these wire names.
   */
  readonly foldedIntoId?: true;
  /** Names of earlier releases and the member that each means; null: ignored. */
  readonly legacyNames?: Readonly<Record<string, string | null>>;
}

export type TypeName =
  | 'Tender'
  | 'Value'
  | 'Period'
  | 'StartedPeriod'
  | 'DeliveryDate'
  | 'Item'
  | 'Unit'
  | 'Classification'
  | 'Address'
  | 'Party'
  | 'ProcuringEntity'
  | 'Identifier'
  | 'Bid'
  | 'Award'
  | 'Auction'
  | 'AuctionBid'
  | 'AuctionStep'
  | 'AuctionStart'
  | 'Document';

interface MemberTraits {
  readonly valueType?: TypeName;
  readonly list?: true;
  readonly readOnly?: true;
}

function renamed(name: string, wire: string, traits: MemberTraits = {}): MemberMapping {
  return { name, middle: wire, earliest: wire, ...traits };
}

function sameName(name: string, traits: MemberTraits = {}): MemberMapping {
  return renamed(name, name, traits);
}

function hiddenMembers(...names: readonly string[]): readonly MemberMapping[] {
  return names.map((name) => ({ name }));
}

function readOnlyMembers(...names: readonly string[]): readonly MemberMapping[] {
  return names.map((name) => ({ name, readOnly: true }));
}

/**
 * The decision on each member of the types of segment 0.1 (generations.md 3). Encoding, decoding, merging and error
 * names follow this table; member-decisions.test.ts fails for a member without a row. `unit` and `deliveryDate` are
 * converted, not renamed (unit.ts, delivery-date.ts).
 */
const TYPES: Readonly<Record<TypeName, TypeMapping>> = {
  Tender: {
    members: [
      sameName('id', { readOnly: true }),
      sameName('tenderID', { readOnly: true }),
      renamed('dateModified', 'modified', { readOnly: true }),
      sameName('status'),
      renamed('value', 'totalValue', { valueType: 'Value' }),
      { name: 'minimalStep', middle: 'minimalStep', valueType: 'Value' },
      { name: 'enquiryPeriod', middle: 'enquiryPeriod', earliest: 'clarificationPeriod', valueType: 'StartedPeriod' },
      sameName('tenderPeriod', { valueType: 'StartedPeriod' }),
      sameName('awardPeriod', { valueType: 'Period' }),
      renamed('items', 'itemsToBeProcured', { valueType: 'Item', list: true }),
      { name: 'deliveryDate', middle: 'deliveryDate', valueType: 'DeliveryDate' },
      sameName('procuringEntity', { valueType: 'ProcuringEntity' }),
      sameName('documents', { valueType: 'Document', list: true, readOnly: true }),
      renamed('bids', 'bidders', { valueType: 'Bid', list: true, readOnly: true }),
      sameName('awards', { valueType: 'Award', list: true, readOnly: true }),
      ...hiddenMembers('mainProcurementCategory', 'milestones'),
      ...hiddenMembers('mode', 'procurementMethodType', 'procurementMethodDetails', 'hasEnquiries'),
      ...hiddenMembers(
        ...withTranslations('title'),
        ...withTranslations('description'),
        ...withTranslations('procurementMethodRationale'),
      ),
      ...hiddenMembers(...withTranslations('submissionMethodDetails'), ...withTranslations('awardCriteriaDetails')),
      ...hiddenMembers(...withTranslations('eligibilityCriteria'), 'guarantee', 'features', 'lots'),
      ...readOnlyMembers(
        'date',
        'dateCreated',
        'owner',
        'procurementMethod',
        'submissionMethod',
        'awardCriteria',
        'numberOfBidders',
      ),
      ...readOnlyMembers('numberOfBids', 'next_check', 'auctionPeriod', 'auctionUrl', 'bidsSeal'),
      ...readOnlyMembers('questions', 'complaints', 'contracts', 'cancellations'),
    ],
    legacyNames: {
      methodJustification: 'procurementMethodRationale',
      selectionDetails: 'awardCriteriaDetails',
      submissionDetails: 'submissionMethodDetails',
      clarifications: 'hasEnquiries',
      method: null,
      selectionCriteria: null,
      notice: null,
      attachments: null,
      revisions: null,
    },
  },
  Value: { members: [sameName('amount'), sameName('currency'), sameName('valueAddedTaxIncluded')] },
  Period: { members: [sameName('startDate'), sameName('endDate')] },
  /** A period whose start stays when it is not sent, because the earliest generation does not show it. */
  StartedPeriod: { members: [sameName('startDate'), sameName('endDate')] },
  DeliveryDate: { members: [sameName('endDate')] },
  Item: {
    members: [
      ...hiddenMembers('id'),
      sameName('description'),
      renamed('classification', 'primaryClassification', { valueType: 'Classification' }),
      renamed('additionalClassifications', 'additionalClassification', { valueType: 'Classification', list: true }),
      renamed('unit', 'unitOfMeasure', { valueType: 'Unit' }),
      renamed('valuePerUnit', 'valuePerUnit', { valueType: 'Value' }),
      sameName('quantity'),
      ...hiddenMembers('description_en', 'description_ru', 'deliveryDate', 'deliveryAddress', 'deliveryLocation'),
      ...hiddenMembers('relatedLot'),
    ],
  },
  // `value` is written by the item, as `valuePerUnit`.
  Unit: { members: hiddenMembers('code', ...withTranslations('name'), 'value') },
  Classification: {
    members: [sameName('scheme'), sameName('id'), sameName('description'), sameName('uri')].concat(
      hiddenMembers('description_en', 'description_ru'),
    ),
    identity: CLASSIFICATION_IDENTITY,
  },
  Address: {
    members: ['streetAddress', 'locality', 'region', 'postalCode', 'countryName']
      .map((name) => sameName(name))
      .concat(hiddenMembers('countryName_en', 'countryName_ru')),
  },
  Party: {
    members: [
      renamed('name', 'id'),
      renamed('identifier', 'id', { valueType: 'Identifier' }),
      sameName('address', { valueType: 'Address' }),
      ...hiddenMembers('name_en', 'name_ru', 'additionalIdentifiers', 'contactPoint', 'scale'),
    ],
    identity: ORGANIZATION_IDENTITY,
    foldedIntoId: true,
  },
  ProcuringEntity: {
    members: [
      renamed('name', 'id'),
      renamed('identifier', 'id', { valueType: 'Identifier' }),
      sameName('address', { valueType: 'Address' }),
      ...hiddenMembers('name_en', 'name_ru', 'kind', 'additionalIdentifiers', 'contactPoint'),
    ],
    identity: ORGANIZATION_IDENTITY,
    foldedIntoId: true,
  },
  Identifier: {
    members: [
      sameName('scheme'),
      renamed('id', 'uid'),
      sameName('uri'),
      ...hiddenMembers(...withTranslations('legalName')),
    ],
    foldedIntoId: true,
  },
  Bid: {
    members: [
      sameName('id', { readOnly: true }),
      sameName('date', { readOnly: true }),
      sameName('status'),
      renamed('tenderers', 'bidders', { valueType: 'Party', list: true }),
      renamed('value', 'totalValue', { valueType: 'Value' }),
      { name: 'documents', middle: 'documents', valueType: 'Document', list: true, readOnly: true },
      ...hiddenMembers('parameters', 'lotValues', 'selfEligible', 'selfQualified', 'subcontractingDetails'),
      ...readOnlyMembers('participationUrl'),
    ],
  },
  Award: {
    members: [
      renamed('id', 'awardID', { readOnly: true }),
      renamed('date', 'awardDate', { readOnly: true }),
      renamed('status', 'awardStatus'),
      sameName('suppliers', { valueType: 'Party', list: true }),
      renamed('value', 'awardValue', { valueType: 'Value' }),
      { name: 'items', valueType: 'Item', list: true },
      ...hiddenMembers('bid_id', 'lotID', ...withTranslations('title'), ...withTranslations('description')),
      ...readOnlyMembers('documents', 'complaints', 'complaintPeriod'),
    ],
    legacyNames: { itemsAwarded: 'items', notice: null },
  },
  Auction: {
    members: [
      ...readOnlyMembers('tenderID'),
      renamed('dateModified', 'modified', { readOnly: true }),
      sameName('bids', { valueType: 'AuctionBid', list: true }),
      sameName('minimalStep', { valueType: 'AuctionStep', readOnly: true }),
      { name: 'tenderPeriod', middle: 'tenderPeriod', valueType: 'AuctionStart', readOnly: true },
      { name: 'auctionPeriod', earliest: 'period', valueType: 'AuctionStart', readOnly: true },
      ...hiddenMembers('auctionUrl', 'lots'),
      ...readOnlyMembers('items', 'features', ...withTranslations('submissionMethodDetails')),
    ],
    legacyNames: { bidders: 'bids' },
  },
  AuctionBid: {
    members: [
      ...hiddenMembers('id', 'lotValues', 'participationUrl'),
      renamed('value', 'totalValue', { valueType: 'Value' }),
      ...readOnlyMembers('date', 'parameters'),
    ],
  },
  /** Value and periods in the auction record, of which a part is shown. */
  AuctionStep: { members: [sameName('amount'), sameName('currency'), ...hiddenMembers('valueAddedTaxIncluded')] },
  AuctionStart: { members: [sameName('startDate'), ...hiddenMembers('endDate', 'shouldStartAfter')] },
  Document: {
    members: [
      ...['id', 'title', 'format', 'url', 'datePublished'].map((name) => sameName(name)),
      renamed('dateModified', 'modified'),
      ...hiddenMembers(
        'title_en',
        'title_ru',
        ...withTranslations('description'),
        'documentType',
        'language',
        'hash',
        'sha256',
        'documentOf',
      ),
      ...hiddenMembers('relatedItem', 'author', 'previousVersions'),
    ],
  },
};

/** The rows of a type. */
export function typeMappingOf(name: TypeName): TypeMapping {
  return TYPES[name];
}

const BY_NAME = new Map(
  // The keys of a constant object are its type's keys.
  (Object.keys(TYPES) as TypeName[]).map((type) => [
    type,
    new Map(TYPES[type].members.map((member) => [member.name, member])),
  ]),
);

/** The row of a member by its canonical name. */
export function findMember(type: TypeName, name: string): MemberMapping | undefined {
  return BY_NAME.get(type)?.get(name);
}

/** Whether one of the two generations shows a member. Absence in a PUT clears only a shown member. */
export function isShown({ middle, earliest }: MemberMapping): boolean {
  return middle !== undefined || earliest !== undefined;
}
