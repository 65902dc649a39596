import { CLASSIFICATION_IDENTITY, ORGANIZATION_IDENTITY, type IdentityRule } from './identity.ts';

/** One member of a type on segment 0.1: its canonical name, and what the two generations show it as. */
export interface Member {
  readonly name: string;
  /** Wire name; absent: not shown, still accepted under the canonical name. */
  readonly middle?: string;
  readonly earliest?: string;
  /** Type of the value, or of its elements; absent: a scalar, or an object that is passed on as it is. */
  readonly of?: TypeName;
  readonly list?: true;
  /** Set by the service: read and passed over. */
  readonly served?: true;
}

export interface Type {
  readonly members: readonly Member[];
  readonly identity?: IdentityRule;
  /** Shown as, or inside, `{id: {name, scheme, uid, uri}}` (party.ts): its wire names are not names of its own members. */
  readonly folded?: true;
  /** Old names that are read and mean a member, or that are read and passed over. */
  readonly old?: Readonly<Record<string, string | null>>;
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
  | 'Document';

interface Look {
  readonly of?: TypeName;
  readonly list?: true;
  readonly served?: true;
}

function both(name: string, wire: string, look: Look = {}): Member {
  return { name, middle: wire, earliest: wire, ...look };
}

function same(name: string, look: Look = {}): Member {
  return both(name, name, look);
}

function hidden(...names: readonly string[]): readonly Member[] {
  return names.map((name) => ({ name }));
}

function served(...names: readonly string[]): readonly Member[] {
  return names.map((name) => ({ name, served: true }));
}

function spoken(name: string): readonly string[] {
  return [name, `${name}_en`, `${name}_ru`];
}

/**
 * The types of segment 0.1, both columns (generations.md 3). Everything that the codec does to names is read off here:
 * showing, reading, merging, and telling of errors. Unit and deliveryDate are no renaming and have files of their own.
 */
const TYPES: Readonly<Record<TypeName, Type>> = {
  Tender: {
    members: [
      same('id', { served: true }),
      same('tenderID', { served: true }),
      both('dateModified', 'modified', { served: true }),
      same('status'),
      both('value', 'totalValue', { of: 'Value' }),
      { name: 'minimalStep', middle: 'minimalStep', of: 'Value' },
      { name: 'enquiryPeriod', middle: 'enquiryPeriod', earliest: 'clarificationPeriod', of: 'StartedPeriod' },
      same('tenderPeriod', { of: 'StartedPeriod' }),
      same('awardPeriod', { of: 'Period' }),
      both('items', 'itemsToBeProcured', { of: 'Item', list: true }),
      { name: 'deliveryDate', middle: 'deliveryDate', of: 'DeliveryDate' },
      same('procuringEntity', { of: 'ProcuringEntity' }),
      same('documents', { of: 'Document', list: true, served: true }),
      both('bids', 'bidders', { of: 'Bid', list: true, served: true }),
      same('awards', { of: 'Award', list: true, served: true }),
      ...hidden('mode', 'procurementMethodType', 'procurementMethodDetails', 'hasEnquiries'),
      ...hidden(...spoken('title'), ...spoken('description'), ...spoken('procurementMethodRationale')),
      ...hidden(...spoken('submissionMethodDetails'), ...spoken('awardCriteriaDetails')),
      ...hidden(...spoken('eligibilityCriteria'), 'guarantee', 'features', 'lots'),
      ...served('date', 'owner', 'procurementMethod', 'submissionMethod', 'awardCriteria', 'numberOfBidders'),
      ...served('numberOfBids', 'next_check', 'auctionPeriod', 'auctionUrl'),
      ...served('questions', 'complaints', 'contracts', 'cancellations'),
    ],
    old: {
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
  Value: { members: [same('amount'), same('currency'), same('valueAddedTaxIncluded')] },
  Period: { members: [same('startDate'), same('endDate')] },
  /** A period whose start stays when it is not sent: one of the two generations does not show it. */
  StartedPeriod: { members: [same('startDate'), same('endDate')] },
  DeliveryDate: { members: [same('endDate')] },
  Item: {
    members: [
      ...hidden('id'),
      same('description'),
      both('classification', 'primaryClassification', { of: 'Classification' }),
      both('additionalClassifications', 'additionalClassification', { of: 'Classification', list: true }),
      both('unit', 'unitOfMeasure', { of: 'Unit' }),
      both('valuePerUnit', 'valuePerUnit', { of: 'Value' }),
      same('quantity'),
      ...hidden('description_en', 'description_ru', 'deliveryDate', 'deliveryAddress', 'deliveryLocation'),
      ...hidden('relatedLot'),
    ],
  },
  Unit: { members: hidden('code', ...spoken('name')) },
  Classification: {
    members: [same('scheme'), same('id'), same('description'), same('uri')].concat(
      hidden('description_en', 'description_ru'),
    ),
    identity: CLASSIFICATION_IDENTITY,
  },
  Address: {
    members: ['streetAddress', 'locality', 'region', 'postalCode', 'countryName']
      .map((name) => same(name))
      .concat(hidden('countryName_en', 'countryName_ru')),
  },
  Party: {
    members: [
      both('name', 'id'),
      both('identifier', 'id', { of: 'Identifier' }),
      same('address', { of: 'Address' }),
      ...hidden('name_en', 'name_ru', 'additionalIdentifiers', 'contactPoint'),
    ],
    identity: ORGANIZATION_IDENTITY,
    folded: true,
  },
  ProcuringEntity: {
    members: [
      both('name', 'id'),
      both('identifier', 'id', { of: 'Identifier' }),
      same('address', { of: 'Address' }),
      ...hidden('name_en', 'name_ru', 'kind', 'additionalIdentifiers', 'contactPoint'),
    ],
    identity: ORGANIZATION_IDENTITY,
    folded: true,
  },
  Identifier: {
    members: [same('scheme'), both('id', 'uid'), same('uri'), ...hidden(...spoken('legalName'))],
    folded: true,
  },
  Bid: {
    members: [
      same('id', { served: true }),
      same('date', { served: true }),
      same('status'),
      both('tenderers', 'bidders', { of: 'Party', list: true }),
      both('value', 'totalValue', { of: 'Value' }),
      { name: 'documents', middle: 'documents', of: 'Document', list: true, served: true },
      ...hidden('parameters', 'lotValues'),
      ...served('participationUrl'),
    ],
  },
  Award: {
    members: [
      both('id', 'awardID', { served: true }),
      both('date', 'awardDate', { served: true }),
      both('status', 'awardStatus'),
      same('suppliers', { of: 'Party', list: true }),
      both('value', 'awardValue', { of: 'Value' }),
      { name: 'items', of: 'Item', list: true },
      ...hidden('bid_id', 'lotID', ...spoken('title'), ...spoken('description')),
      ...served('documents', 'complaints', 'complaintPeriod'),
    ],
    old: { itemsAwarded: 'items', notice: null },
  },
  Auction: {
    members: [
      ...served('tenderID'),
      both('dateModified', 'modified', { served: true }),
      same('bids', { of: 'AuctionBid', list: true }),
      same('minimalStep', { served: true }),
      { name: 'tenderPeriod', middle: 'tenderPeriod', served: true },
      { name: 'auctionPeriod', earliest: 'period', served: true },
      ...hidden('auctionUrl', 'lots'),
      ...served('items', 'features'),
    ],
    old: { bidders: 'bids' },
  },
  AuctionBid: {
    members: [
      ...hidden('id', 'lotValues', 'participationUrl'),
      both('value', 'totalValue', { of: 'Value' }),
      ...served('date', 'parameters'),
    ],
  },
  Document: {
    members: [
      ...['id', 'title', 'format', 'url', 'datePublished'].map((name) => same(name)),
      both('dateModified', 'modified'),
      ...hidden('title_en', 'title_ru', ...spoken('description'), 'documentType', 'language', 'hash', 'documentOf'),
      ...hidden('relatedItem', 'author', 'previousVersions'),
    ],
  },
};

/** The description of a type. */
export function typeOf(name: TypeName): Type {
  return TYPES[name];
}

const BY_NAME = new Map(
  // The keys of a constant object are its type's keys.
  (Object.keys(TYPES) as TypeName[]).map((type) => [
    type,
    new Map(TYPES[type].members.map((member) => [member.name, member])),
  ]),
);

/** The member of that canonical name. */
export function memberOf(type: TypeName, name: string): Member | undefined {
  return BY_NAME.get(type)?.get(name);
}

/** Whether one of the two generations shows it: absence in a PUT then means something. */
export function isShown({ middle, earliest }: Member): boolean {
  return middle !== undefined || earliest !== undefined;
}
