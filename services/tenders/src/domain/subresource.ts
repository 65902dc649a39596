import type { Instant } from '@procurement/contracts/reading/instant';
import type { Actor } from '@procurement/contracts/api/actor';
import { editsInAnyStatus, type Edits } from '@procurement/domain/ignored-members';
import { lotsOf } from '@procurement/domain/lots';
import { CANCELLATION_MEMBERS } from './cancellation.decide.ts';
import { editsOfComplaint } from './complaint.decide.ts';
import { LOT_OWNER_EDITS } from './lot.decide.ts';
import { ANSWER_MEMBERS } from './question.decide.ts';
import type { AddSubresource, ChangeSubresource, TenderSettings, TenderState } from './tender.ts';
import { documentsByParent } from './tender.documents.ts';
import { auctionViews, cancellationView, complaintView, questionView, VISIBILITY } from './tender.view.ts';

type View = Readonly<Record<string, unknown>>;

/** A collection of a tender with endpoints of its own. */
export interface Subresource {
  /** Its name in errors and in path parameters. */
  readonly kind: 'question' | 'complaint' | 'cancellation' | 'lot';
  readonly collection: string;
  readonly addCommand: AddSubresource['type'];
  readonly changeCommand: ChangeSubresource['type'];
  /** Whether its creator receives tokens for it. */
  readonly hasOwner: boolean;
  list(state: TenderState): readonly { readonly id: string }[];
  /** The public views at its own endpoints, in the order of creation (tenders.md 10). */
  views(state: TenderState, now: Instant, settings: TenderSettings): readonly View[];
  /** What the caller may change of one object, for `Ignored-Members` (rulings R40). */
  edits(change: Change): Edits;
}

/** A change of one object of a tender. */
export interface Change {
  readonly before: TenderState;
  readonly after: TenderState;
  readonly id: string;
  readonly actor: Actor;
  readonly settings: TenderSettings;
}

export const QUESTION: Subresource = {
  kind: 'question',
  collection: 'questions',
  addCommand: 'AskQuestion',
  changeCommand: 'AnswerQuestion',
  hasOwner: false,
  list: ({ document }) => document.questions ?? [],
  views: ({ document }) => (document.questions ?? []).map((question) => questionView(question, document.status)),
  edits: () => editsInAnyStatus(ANSWER_MEMBERS),
};

export const COMPLAINT: Subresource = {
  kind: 'complaint',
  collection: 'complaints',
  addCommand: 'FileComplaint',
  changeCommand: 'ChangeComplaint',
  hasOwner: true,
  list: ({ document }) => document.complaints ?? [],
  views: ({ document, documents }) => {
    const { claimAuthorsAtTheirEndpoint } = VISIBILITY[document.status];
    const documentsOf = documentsByParent({ documents });
    return (document.complaints ?? []).map((complaint) =>
      complaintView(complaint, claimAuthorsAtTheirEndpoint, documentsOf),
    );
  },
  edits: ({ before, after, id, ...context }) => {
    const of = ({ document }: TenderState) => document.complaints?.find((complaint) => complaint.id === id);
    const [stored, next] = [of(before), of(after)];
    if (stored === undefined) return editsInAnyStatus([]);
    return editsOfComplaint(before, stored, next?.status ?? stored.status, context);
  },
};

export const CANCELLATION: Subresource = {
  kind: 'cancellation',
  collection: 'cancellations',
  addCommand: 'AddCancellation',
  changeCommand: 'ChangeCancellation',
  hasOwner: false,
  list: ({ document }) => document.cancellations ?? [],
  views: ({ document, documents }) =>
    (document.cancellations ?? []).map((cancellation) =>
      cancellationView(cancellation, documentsByParent({ documents })),
    ),
  edits: () => editsInAnyStatus(CANCELLATION_MEMBERS),
};

export const LOT: Subresource = {
  kind: 'lot',
  collection: 'lots',
  addCommand: 'AddLot',
  changeCommand: 'ChangeLot',
  hasOwner: false,
  list: ({ document }) => lotsOf(document),
  views: (state, now, settings) => (auctionViews(state, now, settings).lots ?? []).map((lot) => ({ ...lot })),
  edits: () => editsInAnyStatus(LOT_OWNER_EDITS),
};
