import type { Actor } from '@procurement/contracts/api/actor';
import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { ACTORS } from '@procurement/testing/actors';
import type { DocumentMeta, DocumentVersion, ParentState } from '../src/domain/document.ts';

export const IDS = {
  tender: 'f'.repeat(32),
  lot: '1'.repeat(32),
  item: '2'.repeat(32),
  bid: 'b'.repeat(32),
  award: 'a'.repeat(32),
  contract: 'c'.repeat(32),
  complaint: 'd'.repeat(32),
  awardComplaint: 'e'.repeat(32),
  cancellation: '9'.repeat(32),
} as const;

export const TOKENS = {
  tender: 'token of the tender',
  bid: 'token of the bid',
  complaint: 'token of the complaint',
  contract: 'token of the contract',
} as const;

/** A tender of broker1 with a lot, a complaint of broker3 and a cancellation. */
export function tenderFacts(overrides: Partial<TenderFacts> = {}): TenderFacts {
  const { id = IDS.tender } = overrides;
  return {
    id,
    version: 1,
    awardsVersion: 0,
    documentsVersion: 0,
    tenderID: 'UA-2026-05-04-000001',
    status: 'active.enquiries',
    owner: 'broker1',
    ownerTokenHash: sha256Hex(TOKENS.tender),
    tenderPeriod: { startDate: '2026-05-10T00:00:00+03:00', endDate: '2026-05-20T18:00:00+03:00' },
    items: [{ id: IDS.item }],
    lots: [{ id: IDS.lot, status: 'active' }],
    complaints: [
      {
        id: IDS.complaint,
        type: 'claim',
        status: 'claim',
        owner: 'broker3',
        ownerTokenHash: sha256Hex(TOKENS.complaint),
      },
    ],
    cancellations: [{ id: IDS.cancellation, status: 'pending' }],
    ...overrides,
  };
}

/** A bid of broker2. */
export function bidFacts(overrides: Partial<BidRegistered> = {}): BidRegistered {
  return {
    id: IDS.bid,
    tenderId: IDS.tender,
    version: 1,
    status: 'active',
    owner: 'broker2',
    ownerTokenHash: sha256Hex(TOKENS.bid),
    lots: [],
    ...overrides,
  };
}

export interface AwardOptions {
  readonly tenderId?: string;
  readonly bidId?: string;
  readonly award?: AwardFacts['awards'][number]['status'];
  readonly complaint?: string;
  readonly contract?: AwardFacts['contracts'][number]['status'];
  readonly implementation?: AwardFacts['contracts'][number]['implementation'];
  readonly contractOwner?: { readonly owner: string; readonly isTakenOver?: true };
  readonly version?: number;
}

/** An award for that bid in the lot, with a complaint of broker3 and a contract. */
export function awardFacts({
  tenderId = IDS.tender,
  bidId = IDS.bid,
  award = 'pending',
  complaint = 'claim',
  contract = 'pending',
  implementation,
  contractOwner,
  version = 1,
}: AwardOptions = {}): AwardFacts {
  const ownership = { owner: 'broker3', ownerTokenHash: sha256Hex(TOKENS.complaint) };
  return {
    id: tenderId,
    version,
    awards: [
      {
        id: IDS.award,
        status: award,
        date: '2026-05-21T00:00:00+03:00',
        bid_id: bidId,
        lotID: IDS.lot,
        complaints: [{ id: IDS.awardComplaint, type: 'claim', status: complaint }],
      },
    ],
    contracts: [
      {
        id: IDS.contract,
        awardID: IDS.award,
        status: contract,
        items: [{ id: IDS.item }],
        ...(implementation === undefined ? {} : { implementation }),
      },
    ],
    complaintOwners: { [IDS.awardComplaint]: ownership },
    ...(contractOwner === undefined
      ? {}
      : { contractOwners: { [IDS.contract]: { ...contractOwner, ownerTokenHash: sha256Hex(TOKENS.contract) } } }),
  };
}

const broker = (name: string, token?: string): Actor => ({
  broker: name,
  group: 'brokers',
  levels: '1234',
  segment: '2.5',
  ...(token === undefined ? {} : { tokenHash: sha256Hex(token) }),
});
const group = (name: string): Actor => ({ ...broker(name), group: name });

/** Callers by their relation to tender, bid and complaint. */
export const CALLERS = {
  'the tender owner': broker('broker1', TOKENS.tender),
  'the bid owner': broker('broker2', TOKENS.bid),
  'the complaint owner': broker('broker3', TOKENS.complaint),
  'the contract owner': broker('broker1', TOKENS.contract),
  'who took the contract over': broker('broker4', TOKENS.contract),
  'another broker with the token': broker('broker9', TOKENS.tender),
  'the broker without the token': broker('broker1'),
  auction: group('auction'),
  bots: group('bots'),
  reviewers: group('reviewers'),
  chronograph: group('chronograph'),
  Administrator: group('Administrator'),
  admins: group('admins'),
  anonymous: ACTORS.anonymous,
} as const satisfies Record<string, Actor>;

export type Caller = keyof typeof CALLERS;

/** Circumstances of a command; by default inside the tendering period with strict guards. */
export function documentMeta(actor: Actor, { now = '2026-05-12', open = false } = {}): DocumentMeta {
  return { now: parseInstant(now), actor, settings: { legacyGuardsOpen: open } };
}

/** A stored version of a document of that parent. */
export function storedVersion(
  { parent, tender }: Pick<ParentState, 'parent' | 'tender'>,
  record: Partial<DocumentVersion['record']> = {},
): DocumentVersion {
  return {
    id: '7'.repeat(32),
    tenderId: tender.id,
    parent,
    fileId: '8'.repeat(32),
    record: {
      id: '7'.repeat(32),
      title: 'notice.pdf',
      format: 'application/pdf',
      hash: `md5:${'0'.repeat(32)}`,
      documentOf: 'tender',
      datePublished: '2026-05-11T00:00:00.000000+03:00',
      dateModified: '2026-05-11T00:00:00.000000+03:00',
      ...record,
    },
  };
}
