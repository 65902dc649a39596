import type { DocumentRole } from './document.roles.ts';
import { statusesThat } from '@procurement/domain/tender-status';
import type { ParentKind, ParentState } from './document.ts';

/** `update`: a new version, or a change of the members of the newest version. */
export type WriteKind = 'add' | 'update';

type Statuses = readonly string[];
type ByRole = Readonly<Partial<Record<DocumentRole, Statuses>>>;

/** Rules for the documents of one kind of parent. */
export interface DocumentRules {
  /** Statuses of the tender in which each role may add documents. */
  readonly add: ByRole;
  /** Statuses of the tender in which each role may change documents; default `add`. */
  readonly update?: ByRole;
  /** Statuses of the parent in which a role may write; default all. */
  readonly parentStatuses?: ByRole;
  /** The lot of the parent must be active. */
  readonly requiresActiveLot?: true;
  /** Stores the role that added a document as its `author`; no other role may change it. */
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

/** Parents with rules of their own: a contract has others at its own address. */
export type RulesKind = ParentKind | 'standalone contract';

/** The rules that hold for a parent at the address by which it was reached. */
export function rulesKindOf({ parent, standalone }: Pick<ParentState, 'parent' | 'standalone'>): RulesKind {
  return standalone === undefined ? parent.kind : 'standalone contract';
}

const ANY = statusesThat(() => true);

/**
 * Who may write which documents when: http.md 2.2, tenders.md 8.4, 13.6, 14, bids-awards-auction.md 1.6, 2.8, 3.6, 3.7, 4.4,
 * contracting.md 6.
 * A role that is not in a row has no permission at all. The groups of http.md 3.4 are roles here.
 */
export const DOCUMENT_RULES: Readonly<Record<RulesKind, DocumentRules>> = {
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
  'standalone contract': {
    add: { contract_owner: ANY, Administrator: ANY },
    parentStatuses: { contract_owner: ['pending', 'active'], Administrator: ['pending', 'active'] },
  },
};

/** The statuses of the tender in which a role may write; undefined when it never may. */
export function writableStatuses(kind: RulesKind, write: WriteKind, role: DocumentRole): Statuses | undefined {
  const { add, update = add } = DOCUMENT_RULES[kind];
  return (write === 'add' ? add : update)[role];
}
