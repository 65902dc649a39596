import fc from 'fast-check';

// Canonical objects for the laws of generations.md 8: optional members are present or absent, lists may have equal
// elements. The target of a default (5.6) is never absent while its source is present.

const text = fc.constantFrom('а', 'b', 'три "слова" тут', 'x\\y', '€ 💶 {[,\n\u0001', 'c');
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
const date = fc.constantFrom(
  '2026-02-03T10:15:27.640951+02:00',
  '2026-03-02T00:00:00+02:00',
  '2026-03-01T22:00:00+00:00',
  '2026-03-20T18:00:00+02:00',
  '2026-07-01T12:00:00+03:00',
);
const amount = fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100);

/** A record in which only the `required` members are always present. */
function recordOf<T extends Record<string, fc.Arbitrary<unknown>>>(members: T, ...required: (keyof T)[]) {
  return fc.record(members, { requiredKeys: required as never });
}

function nonEmpty<T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return arbitrary.filter((one) => Object.keys(one).length > 0);
}

type Translated<N extends string> = Record<N | `${N}_en` | `${N}_ru`, typeof text>;

/** A text and its two translations. */
function withTranslations<N extends string>(name: N): Translated<N> {
  // Computed names lose their literal types; these are the three names of the type.
  return { [name]: text, [`${name}_en`]: text, [`${name}_ru`]: text } as Translated<N>;
}
const value = recordOf(
  { amount, currency: fc.constantFrom('UAH', 'EUR'), valueAddedTaxIncluded: fc.boolean() },
  'amount',
);
const period = recordOf({ startDate: date, endDate: date }, 'endDate');
const wholePeriod = fc.record({ startDate: date, endDate: date });
const classification = recordOf(
  { scheme: text, id: fc.constantFrom('1', '2'), description: text, description_en: text, uri: text },
  'scheme',
  'id',
);
const address = recordOf(
  { streetAddress: text, locality: text, region: text, postalCode: text, countryName: text, countryName_en: text },
  'countryName',
);
const identifier = recordOf({ scheme: text, id: text, uri: text, ...withTranslations('legalName') }, 'scheme');
const contactPoint = recordOf({ name: text, telephone: text }, 'name');
const organization = {
  ...withTranslations('name'),
  identifier,
  additionalIdentifiers: fc.array(identifier, { minLength: 1, maxLength: 2 }),
  address,
  contactPoint,
};
const party = recordOf({ ...organization, scale: fc.constantFrom('micro', 'not specified') }, 'name', 'identifier');
const entity = recordOf({ ...organization, kind: fc.constantFrom('general', 'special') }, 'name', 'identifier', 'kind');

const item = recordOf(
  {
    id: hex,
    ...withTranslations('description'),
    classification,
    additionalClassifications: fc.array(classification, { minLength: 1, maxLength: 3 }),
    unit: nonEmpty(recordOf({ code: text, name: text, name_en: text, value })),
    quantity: fc.constantFrom(0, 5, 2.5, 0.001),
    deliveryDate: nonEmpty(recordOf({ startDate: date, endDate: date })),
    deliveryAddress: address,
    deliveryLocation: fc.record({ latitude: text, longitude: text }),
    relatedLot: hex,
  },
  'id',
  'description',
);

const document = recordOf(
  {
    id: hex,
    title: text,
    format: text,
    url: hex.map((id) => `https://api.example.org/api/2.5/tenders/${id}/bids/${id}/documents/${id}?download=${id}`),
    datePublished: date,
    dateModified: date,
    hash: text,
    sha256: fc.tuple(hex, hex).map((halves) => halves.join('')),
    language: text,
  },
  'id',
);

/** A bid. */
export const bid = recordOf(
  {
    id: hex,
    date,
    status: fc.constantFrom('active', 'invalid', 'unsuccessful'),
    tenderers: fc.array(party, { minLength: 1, maxLength: 2 }),
    value,
    parameters: fc.array(fc.record({ code: text, value: amount }), { minLength: 1, maxLength: 2 }),
    documents: fc.array(document, { minLength: 1, maxLength: 2 }),
    participationUrl: text,
    selfEligible: fc.boolean(),
    selfQualified: fc.boolean(),
    subcontractingDetails: text,
  },
  'id',
  'status',
).map((one) => (one.status === 'active' ? one : { ...one, status: 'active' }));

const award = recordOf(
  {
    id: hex,
    date,
    status: fc.constantFrom('active', 'pending'),
    value,
    suppliers: fc.array(party, { minLength: 1, maxLength: 1 }),
    bid_id: hex,
    complaintPeriod: wholePeriod,
  },
  'id',
);

const shownOnAll = {
  value,
  enquiryPeriod: period,
  tenderPeriod: period,
  items: fc.array(item, { minLength: 1, maxLength: 4 }),
  procuringEntity: entity,
  minimalStep: value,
};

const readOnlyMembers = {
  date,
  dateCreated: date,
  owner: text,
  procurementMethod: text,
  numberOfBids: fc.integer({ min: 1, max: 9 }),
  next_check: date,
  bidsSeal: fc.record({ date, hash: text }),
  auctionPeriod: wholePeriod,
  documents: fc.array(document, { minLength: 1, maxLength: 2 }),
  bids: fc.array(bid, { minLength: 1, maxLength: 2 }),
  awards: fc.array(award, { minLength: 1, maxLength: 2 }),
  contracts: fc.array(
    recordOf(
      {
        id: hex,
        awardID: hex,
        dateCreated: date,
        value: recordOf({ amount, amountNet: amount }, 'amount'),
        suppliers: fc.array(party, { minLength: 1, maxLength: 1 }),
        implementation: recordOf({ status: text, value, transactions: fc.array(fc.record({ id: text })) }, 'status'),
      },
      'id',
      'awardID',
    ),
    { minLength: 1, maxLength: 1 },
  ),
};

const hiddenMembers = {
  ...withTranslations('title'),
  ...withTranslations('description'),
  mode: text,
  procurementMethodDetails: text,
  guarantee: fc.record({ amount, currency: text }),
  features: fc.array(fc.record({ code: text, title: text }), { minLength: 1, maxLength: 2 }),
  eligibilityCriteria: text,
  mainProcurementCategory: fc.constantFrom('goods', 'services', 'works'),
  milestones: fc.array(
    recordOf(
      { id: hex, title: text, percentage: amount, relatedLot: hex, duration: fc.record({ days: amount }) },
      'id',
    ),
    { minLength: 1, maxLength: 2 },
  ),
  hasEnquiries: fc.boolean(),
  awardPeriod: nonEmpty(recordOf({ startDate: date, endDate: date })),
};

const requiredMembers = {
  id: hex,
  tenderID: fc.constantFrom('UA-2026-02-03-000042', 'UA-2026-12-31-123456-b', 'other'),
  dateModified: date,
  status: fc.constantFrom('active.enquiries', 'active.tendering'),
};

const REQUIRED_NAMES = Object.keys(requiredMembers) as (keyof typeof requiredMembers)[];

/** A tender of any generation: one created on 0.1 may lack every member that the service does not set. */
export const tender = recordOf(
  { ...requiredMembers, ...readOnlyMembers, ...hiddenMembers, ...shownOnAll },
  ...REQUIRED_NAMES,
).map(withDefaultTargets);

/** A tender with every member that all older generations show. */
export const fullTender = recordOf(
  {
    ...requiredMembers,
    ...readOnlyMembers,
    ...hiddenMembers,
    ...shownOnAll,
    enquiryPeriod: wholePeriod,
    tenderPeriod: wholePeriod,
  },
  ...REQUIRED_NAMES,
  ...(Object.keys(shownOnAll) as (keyof typeof shownOnAll)[]),
)
  .map(withDeliveryDate)
  .map(withDefaultTargets);

/** Gives the first item a delivery date, so that middle shows `deliveryDate` of the tender. */
function withDeliveryDate<T extends { items?: Record<string, any>[] }>(given: T): T {
  const [first, ...rest] = given.items ?? [];
  const deliveryDate = { endDate: '2026-03-20T18:00:00+02:00', ...first?.['deliveryDate'] };
  return { ...given, items: [{ ...first, deliveryDate }, ...rest] };
}

/** Adds the target of a default where its source is present (generations.md 5.6). */
function withDefaultTargets<T extends object>(given: T): T & Readonly<Record<string, any>> {
  const tender: Record<string, any> = { ...given };
  if (tender['items'] !== undefined) tender['title'] ??= 'назва';
  if (tender['value'] !== undefined) tender['minimalStep'] ??= { amount: 0.5 };
  if (tender['tenderPeriod'] !== undefined) tender['enquiryPeriod'] ??= { endDate: '2026-03-02T00:00:00+02:00' };
  return tender as T & Record<string, any>;
}
