import {
  documentCollections,
  documentRouteName,
  isOfContractAddress,
  type DocumentCollection,
} from '@procurement/contracts/api/documents.api';
import type { RouteContract } from '@procurement/contracts/api/route';
import { isBlockingStatus } from '@procurement/domain/complaint-blocking';
import { isFinal, statusesThat } from '@procurement/domain/tender-status';
import { AUCTION_STATUS } from '../../services/auction/src/domain/hand-off.guards.ts';
import { isAuctionCaller } from '../../services/auction/src/domain/hand-off.roles.ts';
import { AWARD_TRANSITIONS } from '../../services/awards/src/domain/award.transitions.ts';
import { AWARD_ADDED_IN } from '../../services/awards/src/domain/award.post.ts';
import { isAwardingStatus } from '../../services/awards/src/domain/awarding-status.ts';
import { biddingRefusal } from '../../services/bids/src/domain/bid.guards.ts';
import { BIDDER_GROUPS } from '../../services/bids/src/domain/bid.register.ts';
import { visibilityOf } from '../../services/bids/src/domain/bid.visibility.ts';
import {
  DOCUMENT_RULES,
  writableStatuses,
  type WriteKind,
} from '../../services/documents/src/domain/document.permissions.ts';
import { bidsAreOpen } from '../../services/documents/src/domain/document.visibility.ts';
import type { DocumentRole } from '../../services/documents/src/domain/document.roles.ts';
import type { OperationRules } from '../../services/gateway/src/description/described-route.ts';
import { acceptsComplaints, changesComplaints } from '../../services/tenders/src/domain/complaint.window.ts';
import { LOT_OWNER_EDITS, LOT_STATUSES } from '../../services/tenders/src/domain/lot.decide.ts';
import { QUESTION_STATUSES } from '../../services/tenders/src/domain/question.decide.ts';
import { lacksCreationLevel, mayCreate } from '../../services/tenders/src/domain/tender.permissions.ts';
import {
  buildActor,
  arrowsText,
  CALLERS,
  CLAIM_MOVES,
  codes,
  COMPLAINT_MOVES,
  COMPLAINT_ROLES,
  EVERYBODY,
  groupsThat,
  hasNoLevel,
  listText,
  transitionsBy,
  whileContractIn,
  whileIn,
  withLevel,
  type Statuses,
} from './rule-texts.ts';
import { contractRules } from './contract-rules.ts';
import { tenderEdits } from './tender-edits.ts';

/** The guards read no other setting. */
const STRICT = { legacyGuardsOpen: false } as never;

const NOTHING = 'the status of the tender stays as it is';
const READ = { who: EVERYBODY } as const satisfies OperationRules;

const creators = groupsThat(mayCreate);

const PERIOD = { startDate: '2026-01-01T00:00:00+02:00', endDate: '2026-12-31T00:00:00+02:00' };
const IN_PERIOD = Date.parse('2026-06-01T00:00:00Z') * 1_000;

function bidStatuses(operation: 'add' | 'update' | 'delete'): Statuses {
  return statusesThat((status) => {
    // The guard reads these members only.
    const tender = { status, tenderPeriod: PERIOD } as never;
    // The guard reads these members only.
    const meta = { now: IN_PERIOD, actor: buildActor('brokers'), settings: STRICT } as never;
    return biddingRefusal(operation, { tender, phase: 'open' }, meta) === undefined;
  });
}

const openBids = statusesThat(
  (tenderStatus) =>
    visibilityOf({ tenderStatus, phase: 'opened', actor: buildActor('brokers'), settings: STRICT }) === 'open',
);
const bidReads: OperationRules = {
  who: `${EVERYBODY}, once bids are open; before that the owner of the bid, with its token`,
  when: `${whileIn(openBids)}; a cancelled tender shows bids only if they were opened before`,
};

const blocking = [...new Set(COMPLAINT_MOVES.map(({ from }) => from))]
  .filter((status) => isBlockingStatus(status, 'full'))
  .map((status) => `\`${status}\``);

/** What each role may do with a complaint. */
function complaintRules(statuses: Statuses): OperationRules {
  return {
    who: listText(COMPLAINT_ROLES.map((role) => CALLERS[role] ?? role)),
    when: `${whileIn(statuses)}, and the complaint is not closed`,
    changes: COMPLAINT_ROLES.map(
      (role) => `${CALLERS[role]}: ${arrowsText(COMPLAINT_MOVES.filter(({ by }) => by === role))}`,
    ).join('; '),
    next: `no contract of the tender or lot can be signed while a complaint is in ${listText(blocking, 'or')}`,
  };
}

function fileRules(collection: DocumentCollection, write: WriteKind): OperationRules {
  const kind = isOfContractAddress(collection) ? 'standalone contract' : collection.parent;
  const roles: readonly DocumentRole[] = [
    'tender_owner',
    'contract_owner',
    'bid_owner',
    'complaint_owner',
    'auction',
    'bots',
    'reviewers',
    'Administrator',
  ];
  const rows = roles.flatMap((role) => {
    const statuses = writableStatuses(kind, write, role);
    return statuses === undefined ? [] : [{ role: CALLERS[role] ?? role, statuses }];
  });
  const whens = new Set(rows.map(({ statuses }) => whileIn(statuses)));
  return {
    who: listText(rows.map(({ role }) => role)),
    when: isOfContractAddress(collection)
      ? whileContractIn(DOCUMENT_RULES[kind].parentStatuses?.contract_owner ?? [])
      : whens.size === 1
        ? [...whens].join('')
        : rows.map(({ role, statuses }) => `${role} ${whileIn(statuses)}`).join('; '),
    next: `the document is listed in its parent; ${NOTHING}`,
  };
}

function documentRules(): Readonly<Record<string, OperationRules>> {
  const open = statusesThat((status) => bidsAreOpen(status, false));
  const reads = (collection: DocumentCollection): OperationRules =>
    collection.parent === 'bid' ? { who: bidReads.who, when: whileIn(open) } : READ;
  return Object.fromEntries(
    documentCollections.flatMap((collection) =>
      (['list', 'get', 'create', 'put', 'patch'] as const).map((operation) => {
        const isRead = operation === 'list' || operation === 'get';
        const rules = isRead ? reads(collection) : fileRules(collection, operation === 'create' ? 'add' : 'update');
        return [documentRouteName(operation, collection), rules];
      }),
    ),
  );
}

const owner = CALLERS['tender_owner'] ?? '';
const inAwarding = whileIn(statusesThat(isAwardingStatus));
const unfinished = whileIn(statusesThat((status) => !isFinal(status)));
const takeover: OperationRules = {
  who: 'brokers that have the transfer token of the object, when its owner has left',
  when: unfinished,
  changes: 'the owner, its token and its transfer token',
  next: `the tokens of the former owner open nothing; ${NOTHING}`,
};
const lotEdits: OperationRules = { who: owner, when: whileIn([...LOT_STATUSES]), next: NOTHING };
const auctionReport: OperationRules = {
  who: listText(groupsThat(isAuctionCaller)),
  when: whileIn([AUCTION_STATUS]),
  changes: 'the amounts of the bids',
  next: transitionsBy('awards known', AUCTION_STATUS),
};
const auctionAddresses: OperationRules = {
  who: auctionReport.who,
  when: auctionReport.when ?? '',
  changes: '`auctionUrl`, and `participationUrl` of the bids',
  next: `bidders find the link in their bids; ${NOTHING}`,
};

const PROCEDURE_RULES: Readonly<Record<string, OperationRules>> = {
  listTenders: READ,
  createTender: {
    who: listText(withLevel(creators, lacksCreationLevel)),
    when: 'at any time',
    next: `${transitionsBy('activate')} by a PATCH of the status; then ${transitionsBy('tick')} when enquiries end`,
  },
  getTender: READ,
  putTender: { ...tenderEdits(), next: NOTHING },
  patchTender: {
    ...tenderEdits(),
    next: `${transitionsBy('activate')} publishes a draft; otherwise ${NOTHING}`,
  },
  listQuestions: READ,
  createQuestion: {
    who: listText(withLevel(creators, hasNoLevel('question'))),
    when: `${whileIn([...QUESTION_STATUSES])}, within the enquiry period`,
    next: `the owner of the tender answers; ${NOTHING}`,
  },
  getQuestion: READ,
  patchQuestion: { who: owner, when: whileIn([...QUESTION_STATUSES]), changes: '`answer`', next: NOTHING },
  listComplaints: READ,
  createComplaint: {
    who: listText(withLevel(creators, hasNoLevel('complaint'))),
    when: whileIn(statusesThat((status) => acceptsComplaints(status))),
    next: CLAIM_MOVES,
  },
  getComplaint: READ,
  patchComplaint: complaintRules(statusesThat(changesComplaints)),
  changeComplaintOwner: takeover,
  listCancellations: READ,
  createCancellation: {
    who: owner,
    when: unfinished,
    next: `an active one of the tender: ${transitionsBy('tender cancelled')}. An active one of a lot cancels the lot, and the tender ends when no lot is left`,
  },
  getCancellation: READ,
  patchCancellation: {
    who: owner,
    when: unfinished,
    changes: '`status`',
    next: `an active one of the tender: ${transitionsBy('tender cancelled')}`,
  },
  listLots: READ,
  createLot: lotEdits,
  getLot: READ,
  patchLot: { ...lotEdits, changes: codes(LOT_OWNER_EDITS) },
  deleteLot: lotEdits,
  listBids: bidReads,
  createBid: {
    who: listText(
      withLevel(
        groupsThat(({ group }) => BIDDER_GROUPS.has(group)),
        hasNoLevel('bid'),
      ),
    ),
    when: `${whileIn(bidStatuses('add'))}, within the tender period`,
    next: `when tendering ends, ${transitionsBy('bids sealed')}; with one bid ${transitionsBy('awards known', 'active.tendering')}`,
  },
  getBid: bidReads,
  getBidReceipt: { who: `${CALLERS['bid_owner']}, with its token`, when: 'until bids are open' },
  patchBid: {
    who: `${CALLERS['bid_owner']}; tenderers also ${CALLERS['Administrator']}, once bids are open`,
    when: `${whileIn(bidStatuses('update'))}, within the tender period`,
    next: NOTHING,
  },
  deleteBid: {
    who: `${CALLERS['bid_owner']} and ${CALLERS['Administrator']}`,
    when: `${whileIn(bidStatuses('delete'))}, within the tender period`,
    next: `the bid takes no part; ${NOTHING}`,
  },
  getBidsSeal: { who: `${EVERYBODY}, once bids are open` },
  changeBidOwner: takeover,
  listAwards: READ,
  createAward: {
    who: CALLERS['admins'] ?? '',
    when: whileIn([AWARD_ADDED_IN]),
    next: 'the award is `pending`, and is decided by a PATCH',
  },
  getAward: READ,
  patchAward: {
    who: `${owner}; the complaint period also ${CALLERS['Administrator']}`,
    when: `${inAwarding}, and the lot of the award is active`,
    changes: arrowsText(AWARD_TRANSITIONS),
    next: `the tender: ${transitionsBy('awards changed')}`,
  },
  listAwardComplaints: READ,
  createAwardComplaint: {
    who: 'brokers of bidders of the tender, with the token of their bid',
    when: `${inAwarding}, within the complaint period of the award`,
    next: CLAIM_MOVES,
  },
  getAwardComplaint: READ,
  patchAwardComplaint: complaintRules(statusesThat(isAwardingStatus)),
  changeAwardComplaintOwner: takeover,
  listAllContracts: READ,
  ...contractRules(takeover),
  getAuction: { who: listText(groupsThat(isAuctionCaller)), when: whileIn([AUCTION_STATUS]) },
  patchAuction: auctionAddresses,
  patchLotAuction: auctionAddresses,
  reportAuction: auctionReport,
  reportLotAuction: { ...auctionReport, next: `after the last lot ${auctionReport.next ?? ''}` },
  createTransfer: {
    who: 'brokers',
    when: 'at any time',
    next: 'the transfer is used once, by `POST .../ownership` of an object',
  },
  getTransfer: READ,
  changeTenderOwner: takeover,
  readClock: READ,
  moveClock: {
    who: 'everybody with a key, in sandbox mode',
    when: 'at any time',
    changes: 'the time of this tender only',
    next: `what is due: ${transitionsBy('tick')}, and what follows at the ends of its periods`,
  },
};

/** Reads and webhooks of the register, and what the gateway answers itself. */
function otherRules({ rateClass, method }: Pick<RouteContract, 'rateClass' | 'method'>): OperationRules {
  if (rateClass !== 'webhook') return READ;
  const who = 'brokers with any key, for webhooks of their own';
  return method === 'GET' ? { who } : { who, when: 'at any time', next: 'no tender changes' };
}

/** The rules of every operation, made of the tables and functions by which the services decide. */
export function operationRules(
  routes: readonly Pick<RouteContract, 'name' | 'rateClass' | 'method' | 'owner'>[],
): Readonly<Record<string, OperationRules>> {
  const rules = { ...PROCEDURE_RULES, ...documentRules() };
  return Object.fromEntries(
    routes.map((route) => {
      const own = rules[route.name] ?? (route.owner === 'register' ? otherRules(route) : undefined);
      if (own === undefined) throw new Error(`${route.name} has no rules in tools/openapi/operation-rules.ts`);
      return [route.name, own];
    }),
  );
}
