import type { DocumentRole } from './document.roles.ts';
import type { ParentKind } from './document.ts';

/** `update` is a new version, and a change of what is said about the newest. */
export type WriteKind = 'add' | 'update';

type Statuses = readonly string[];
type ByRole = Readonly<Partial<Record<DocumentRole, Statuses>>>;

/** What rules say of the documents of one kind of parent. */
export interface DocumentRules {
  /** Who may add documents, in which statuses of the tender. */
  readonly add: ByRole;
  /** Who may change them; the same where nothing else is said. */
  readonly update?: ByRole;
  /** Statuses of the parent itself in which a role may write: all where nothing is said. */
  readonly parentStatuses?: ByRole;
  /** The lot that the parent is about has to be active. */
  readonly requiresActiveLot?: true;
  /** Keeps the role of whoever added a document, and lets nobody else change it. */
  readonly authorOnly?: true;
}

const ENQUIRIES = ['active.enquiries'];
const QUALIFICATION = ['active.qualification'];
const DECIDING = ['active.qualification', 'active.awarded'];
const ACTIVE = ['active.enquiries', 'active.tendering', 'active.auction', ...DECIDING];
const RUNNING = ['draft', ...ACTIVE];

const COMPLAINT_STATUSES: ByRole = {
  complaint_owner: ['draft', 'answered'],
  tender_owner: ['claim'],
  reviewers: ['pending'],
};

/**
 * Who may write which documents when: http.md 2.2, tenders.md 8.4, 13.6, 14, bids-awards-auction.md 1.6, 2.8, 3.6, 3.7, 4.4.
 * A role that is not in a row has no permission at all; the groups of http.md 3.4 stand in it as roles.
 */
export const DOCUMENT_RULES: Readonly<Record<ParentKind, DocumentRules>> = {
  tender: {
    add: { tender_owner: ENQUIRIES, bots: ENQUIRIES, auction: ['active.auction', 'active.qualification'] },
    authorOnly: true,
  },
  bid: {
    add: {
      bid_owner: ['active.tendering', 'active.qualification'],
      Administrator: ['active.tendering', 'active.qualification'],
    },
  },
  award: {
    add: { tender_owner: QUALIFICATION, auction: QUALIFICATION, bots: QUALIFICATION },
    update: { tender_owner: QUALIFICATION, Administrator: QUALIFICATION },
    requiresActiveLot: true,
    authorOnly: true,
  },
  complaint: {
    add: { complaint_owner: ACTIVE, tender_owner: ACTIVE, reviewers: ACTIVE },
    parentStatuses: COMPLAINT_STATUSES,
    authorOnly: true,
  },
  'award complaint': {
    add: { complaint_owner: DECIDING, tender_owner: DECIDING, reviewers: DECIDING },
    parentStatuses: COMPLAINT_STATUSES,
    requiresActiveLot: true,
    authorOnly: true,
  },
  cancellation: { add: { tender_owner: RUNNING, Administrator: RUNNING } },
  contract: {
    add: { tender_owner: DECIDING, Administrator: DECIDING },
    parentStatuses: { tender_owner: ['pending', 'active'], Administrator: ['pending', 'active'] },
    requiresActiveLot: true,
  },
};

/** The statuses of the tender in which a role may write; undefined when it may never. */
export function writableStatuses(kind: ParentKind, write: WriteKind, role: DocumentRole): Statuses | undefined {
  const { add, update = add } = DOCUMENT_RULES[kind];
  return (write === 'add' ? add : update)[role];
}
