import type { Instant } from '@procurement/contracts/reading/instant';
import type { StoredCancellation } from '@procurement/contracts/resources/cancellation';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredQuestion } from '@procurement/contracts/resources/question';
import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { openAuctions, shouldStartAfter } from './auction-period.ts';
import { lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import { awardView, documentsByParent, type DocumentsOfParent } from './tender.documents.ts';
import type { TenderParts, TenderSettings } from './tender.ts';
import { nextCheck } from './tender.timers.ts';

/**
 * Stands where dateModified will: its value is the place in the feed, which the database decides at commit. It is put before
 * anything that a client wrote, so the first occurrence in the text is this one.
 */
export const DATE_MODIFIED_PLACEHOLDER = '\u0001dateModified\u0001';

type View = Readonly<Record<string, unknown>>;

/** What is shown of a tender by its status (tenders.md 10). A cancelled one shows bids only if they were opened before. */
interface Visibility {
  readonly bids: 'hidden' | 'shown' | 'if opened';
  readonly questionAuthors: boolean;
  readonly claimAuthors: boolean;
  /** At the endpoints of complaints the authors of claims are shown earlier. */
  readonly claimAuthorsAtTheirEndpoint: boolean;
}

const BEFORE_OPENING: Visibility = {
  bids: 'hidden',
  questionAuthors: false,
  claimAuthors: false,
  claimAuthorsAtTheirEndpoint: false,
};
const AFTER_OPENING: Visibility = {
  bids: 'shown',
  questionAuthors: true,
  claimAuthors: true,
  claimAuthorsAtTheirEndpoint: true,
};

export const VISIBILITY: Readonly<Record<TenderStatus, Visibility>> = {
  draft: { ...BEFORE_OPENING, claimAuthorsAtTheirEndpoint: true },
  'active.enquiries': BEFORE_OPENING,
  'active.tendering': BEFORE_OPENING,
  'active.auction': { ...BEFORE_OPENING, claimAuthorsAtTheirEndpoint: true },
  'active.qualification': AFTER_OPENING,
  'active.awarded': AFTER_OPENING,
  complete: AFTER_OPENING,
  unsuccessful: AFTER_OPENING,
  cancelled: { ...AFTER_OPENING, bids: 'if opened' },
};

/** What anybody sees of a tender at a moment (tenders.md 10). */
export function publicView(tender: TenderParts, now: Instant, settings: TenderSettings): View {
  const { document, awards } = tender;
  const { id, tenderID, questions, complaints, cancellations, auctionPeriod: _own, lots: _lots, ...rest } = document;
  const documentsOf = documentsByParent(tender);
  return {
    id,
    tenderID,
    dateModified: DATE_MODIFIED_PLACEHOLDER,
    ...rest,
    ...auctionViews(tender, now, settings),
    documents: documentsOf('tender', id),
    ...bidsView(tender, documentsOf),
    awards: undefinedIfEmpty(awards?.awards.map((award) => awardView(award, documentsOf))),
    contracts: undefinedIfEmpty(
      awards?.contracts.map((contract) => ({ ...contract, documents: documentsOf('contract', contract.id) })),
    ),
    questions: undefinedIfEmpty(questions?.map((question) => questionView(question, document.status))),
    complaints: undefinedIfEmpty(
      complaints?.map((complaint) => complaintView(complaint, VISIBILITY[document.status].claimAuthors, documentsOf)),
    ),
    cancellations: undefinedIfEmpty(cancellations?.map((cancellation) => cancellationView(cancellation, documentsOf))),
    next_check: nextCheck(tender, now, settings),
  };
}

function undefinedIfEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** The auctions with the moment from which they may begin (tenders.md 9.2). */
export function auctionViews(
  tender: TenderParts,
  now: Instant,
  settings: TenderSettings,
): Pick<StoredTender, 'auctionPeriod' | 'lots'> {
  const { document } = tender;
  const open = new Map(openAuctions(tender).map((auction) => [auction.lot, auction]));
  const shown = (lot: string | undefined, period: StoredTender['auctionPeriod']): StoredTender['auctionPeriod'] => {
    const auction = open.get(lot);
    if (auction === undefined) return period;
    return { ...period, shouldStartAfter: shouldStartAfter(auction, document, now, settings) };
  };
  if (lotsOf(document).length === 0) return { auctionPeriod: shown(undefined, document.auctionPeriod) };
  return {
    auctionPeriod: document.auctionPeriod,
    lots: lotsOf(document).map((lot) => ({ ...lot, auctionPeriod: shown(lot.id, lot.auctionPeriod) })),
  };
}

function bidsView({ document, bidding, bids }: TenderParts, documentsOf: DocumentsOfParent): View {
  const { bids: rule } = VISIBILITY[document.status];
  if (rule === 'hidden') return {};
  const isErased = rule === 'if opened' && bidding.phase !== 'opened';
  if (isErased) return { numberOfBids: 0 };
  const shown = bids?.map((bid) => ({ ...bid, documents: documentsOf('bid', bid.id) ?? bid['documents'] }));
  return { numberOfBids: bids?.length ?? bidCount(bidding), bids: undefinedIfEmpty(shown) };
}

/** A question as anyone sees it: who asks is told once bids are open. */
export function questionView({ author, ...question }: StoredQuestion, status: TenderStatus): View {
  return VISIBILITY[status].questionAuthors ? { ...question, author } : question;
}

/** A claim or complaint as anyone sees it; who escalated is always told. */
export function complaintView(
  { author, ...complaint }: StoredComplaint,
  showsClaimAuthors: boolean,
  documentsOf: DocumentsOfParent,
): View {
  const shown = { ...complaint, documents: documentsOf('complaint', complaint.id) };
  return showsClaimAuthors || complaint.type === 'complaint' ? { ...shown, author } : shown;
}

export function cancellationView(cancellation: StoredCancellation, documentsOf: DocumentsOfParent): View {
  return { ...cancellation, documents: documentsOf('cancellation', cancellation.id) };
}

const CHRONOGRAPH_MEMBERS = [
  'id',
  'status',
  'enquiryPeriod',
  'tenderPeriod',
  'auctionPeriod',
  'awardPeriod',
  'awards',
  'submissionMethodDetails',
  'mode',
  'complaints',
] as const;

/** What the planner of auctions needs, bids counted (tenders.md 9.4). */
export function chronographView(tender: TenderParts, now: Instant, settings: TenderSettings): View {
  const view = publicView(tender, now, settings);
  const { lots } = auctionViews(tender, now, settings);
  return {
    ...Object.fromEntries(CHRONOGRAPH_MEMBERS.map((member) => [member, view[member]])),
    numberOfBids: bidCount(tender.bidding),
    lots: lots?.map(({ id, status, auctionPeriod }) => ({
      id,
      status,
      auctionPeriod,
      numberOfBids: bidCount(tender.bidding, id),
    })),
  };
}

/** Members that the feed serves with its rows, without opening the view (http.md 1.4). */
export const FEED_MEMBERS = [
  'auctionPeriod',
  'status',
  'tenderID',
  'lots',
  'procurementMethodType',
  'next_check',
  'mode',
  'procuringEntity',
  'procurementMethod',
  'enquiryPeriod',
  'tenderPeriod',
  'awardPeriod',
  'title',
  'value',
] as const;
