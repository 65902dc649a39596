import type { Instant } from '@procurement/contracts/reading/instant';
import type { StoredCancellation } from '@procurement/contracts/resources/cancellation';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredQuestion } from '@procurement/contracts/resources/question';
import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { openAuctions, shouldStartAfter } from './auction-period.ts';
import { DATE_MODIFIED_PLACEHOLDER } from '@procurement/domain/date-modified';
import { lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import { awardView, documentsByParent, type DocumentsOfParent } from './tender.documents.ts';
import type { TenderParts, TenderSettings } from './tender.ts';
import { nextCheck } from './tender.timers.ts';

type View = Readonly<Record<string, unknown>>;

/** What the view shows by status (tenders.md 10). A cancelled tender shows bids only if they were opened before. */
interface Visibility {
  readonly bids: 'hidden' | 'shown' | 'if opened';
  readonly questionAuthors: boolean;
  readonly claimAuthors: boolean;
  /** The endpoints of complaints show the authors of claims earlier than the view of the tender. */
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

/** The public view of a tender at an instant of its time (tenders.md 10). The order of members is published text. */
export function publicView(tender: TenderParts, now: Instant, settings: TenderSettings): View {
  const { document } = tender;
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
    ...awardsView(tender, documentsOf),
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

/** The auction periods with `shouldStartAfter` where it applies (tenders.md 9.2). */
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

/**
 * Awards name bidders and prices, and may arrive before the opened bids: the two are shown together (architecture.md, handshake 2).
 * After a cancellation in between, neither is.
 */
function awardsView({ document, bidding, awards }: TenderParts, documentsOf: DocumentsOfParent): View {
  const areBidsAwaited = bidding.phase === 'opening' && VISIBILITY[document.status].bids !== 'shown';
  if (awards === undefined || areBidsAwaited) return {};
  const contracts = awards.contracts.map((one) => ({ ...one, documents: documentsOf('contract', one.id) }));
  return {
    awards: undefinedIfEmpty(awards.awards.map((award) => awardView(award, documentsOf))),
    contracts: undefinedIfEmpty(contracts),
  };
}

/** The public view of a question. Its author is shown once bids are opened. */
export function questionView({ author, ...question }: StoredQuestion, status: TenderStatus): View {
  return VISIBILITY[status].questionAuthors ? { ...question, author } : question;
}

/** The public view of a claim or complaint. The author of an escalated complaint is always shown. */
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

/** The view of the chronograph, with numbers of bids (tenders.md 9.4). */
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

/** Members that are stored with the rows of the feed, so that `opt_fields` does not read the view (http.md 1.4). */
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
