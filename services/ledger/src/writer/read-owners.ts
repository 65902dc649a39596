import { judgePage } from '@procurement/kit/messaging/request/judge-page';
import {
  askListing,
  askPublications,
  UnusablePageError,
  type OwnerPage,
} from '@procurement/kit/messaging/request/publication-pages';
import { planBaselines, planPublications, type PagePlan, type Progress } from '../domain/page-plan.ts';
import { planRestores, type Epoch } from '../domain/restores.ts';
import type { Addition } from '../store/append.ts';
import type { Head } from '../store/head.store.ts';
import { askRedactions, type RedactionPage } from './ask-redactions.ts';
import type { WriterDeps } from './deps.ts';
import { newestLogged, numberAt } from './logged-numbers.ts';
import { planRedactions } from './plan-redactions.ts';

/** What the owners have for the log. */
export type OwnersAnswer =
  /** `isWhole`: they had nothing more when they answered. `head`: the owner's greatest position. */
  | {
      readonly kind: 'addition';
      readonly addition: Addition;
      readonly isWhole: boolean;
      readonly head: number;
      /** Undefined when it was not asked. */
      readonly register?: RegisterSeen;
    }
  /** Tenders has not answered. */
  | { readonly kind: 'unanswered' }
  /** Nothing of it may be logged; `text` says what an operator has to do. */
  | { readonly kind: 'problem'; readonly text: string; readonly head: number | undefined; readonly isHalt?: true };

/** What was seen of the register. */
export interface RegisterSeen {
  readonly hasAnswered: boolean;
  /** Why a redaction cannot be logged. */
  readonly problem: string | undefined;
}

/** One addition is one transaction. */
const ROWS_MAX = 10_000;
/** Counts texts only, which are not asked for. */
const BYTES_MAX = 4_000_000;

/** Asks tenders and the register for what follows the head (proof.md 3.2). Nothing is stepped over. */
export async function readOwners(deps: WriterDeps, head: Head): Promise<OwnersAnswer> {
  try {
    return head.phase === 'listing' ? await list(deps, head) : await follow(deps, head);
  } catch (error) {
    if (!(error instanceof UnusablePageError)) throw error;
    return { kind: 'problem', text: `a page of tenders was refused: ${error.message}`, head: undefined };
  }
}

function askedOwner({ bus, rowsMax = ROWS_MAX }: WriterDeps) {
  return { bus, page: { rowsMax, bytesMax: BYTES_MAX }, texts: false } as const;
}

async function list(deps: WriterDeps, head: Head): Promise<OwnersAnswer> {
  const page = await askListing(askedOwner(deps), { after: head.position, upTo: Number.MAX_SAFE_INTEGER });
  if (page === undefined) return { kind: 'unanswered' };
  const restored = await findRestore(deps, head, page);
  if (restored !== undefined) return restored;
  const plan = planBaselines(head, page.publications);
  // The owner reads its head before the rows, and positions grow in the order of commits: what it publishes after these rows follows them.
  const position = page.publications.at(-1)?.position ?? Math.max(head.position, page.head);
  const phase = position >= page.head ? 'begins' : 'listing';
  const planned = 'refused' in plan ? plan : { ...plan, position };
  return buildAnswer(planned, { ...head, epoch: page.epoch, phase }, { isWhole: false, head: page.head });
}

async function follow(deps: WriterDeps, head: Head): Promise<OwnersAnswer> {
  const { position, epoch = 0 } = head;
  const [page, redactions] = await Promise.all([
    askPublications(askedOwner(deps), { after: position, epoch, horizon: false }),
    askRedactions(deps.bus, head.redaction, deps.rowsMax),
  ]);
  if (page === undefined) return { kind: 'unanswered' };
  const restored = await findRestore(deps, head, page);
  if (restored !== undefined) return restored;
  // The log says all epochs: it knows them from now on, also where its database was taken from the store.
  const known = { ...head, epoch: page.epoch };
  const verdict = judgePage({
    position,
    epoch,
    isUnlinked: head.phase === 'begins',
    publications: page.publications,
    owner: { ...page, hasNewEpochs: false },
  });
  switch (verdict.kind) {
    case 'apply': {
      const plan = planPublications(head, verdict.publications);
      const isWhole =
        verdict.publications.length === page.publications.length &&
        (page.publications.at(-1)?.position ?? 0) >= page.head;
      return withRedactions(
        deps,
        buildAnswer(plan, { ...known, phase: 'follows' }, { isWhole, head: page.head }),
        redactions,
      );
    }
    case 'idle': {
      const addition = { drafts: [], progress: pickProgress(known) };
      return withRedactions(deps, { kind: 'addition', addition, isWhole: true, head: page.head }, redactions);
    }
    case 'hole':
      return problem(page, 'tenders no longer has what follows the log: ledger accept-hole');
    case 'gap':
      return problem(page, `publications after ${verdict.after} are missing: nothing after them is logged`);
    case 'restored':
      return problem(page, 'tenders has lost publications, or was restored without FEED_EPOCH');
    case 'epochs':
      return { kind: 'unanswered' };
    default:
      return verdict satisfies never;
  }
}

function problem({ head }: OwnerPage, text: string): OwnersAnswer {
  return { kind: 'problem', text, head };
}

/** Returns the epochs of tenders that have no entry in the log. */
export async function unseenEpochs(
  deps: WriterDeps,
  head: Head,
  page: Pick<OwnerPage, 'epoch' | 'epochs'>,
): Promise<readonly Epoch[]> {
  const known = head.epoch ?? (head.size === 0 ? page.epoch : 0);
  const unseen = page.epochs.filter(({ epoch }) => epoch > known);
  if (head.epoch !== undefined || unseen.length === 0) return unseen;
  // A database that was taken from the store does not know its first epoch: those before the log are no restores of it.
  const newest = await newestLogged(deps, deps.pool);
  return unseen.filter(({ began }) => began > newest);
}

/** The entries of restores that the log does not have; undefined when there is none. */
async function findRestore(deps: WriterDeps, head: Head, page: OwnerPage): Promise<OwnersAnswer | undefined> {
  const epochs = await unseenEpochs(deps, head, page);
  if (epochs.length === 0) return undefined;
  const newest = await newestLogged(deps, deps.pool);
  const plan = planRestores({ position: head.position, newest }, epochs);
  if ('waitUntil' in plan) {
    const until = new Date(Math.ceil(plan.waitUntil / 1_000)).toISOString();
    const text = `tenders was restored with a clock that is behind the log: begin another FEED_EPOCH after ${until}`;
    return { kind: 'problem', text, head: page.head, isHalt: true };
  }
  const { position, restores } = plan;
  const number = await numberAt(deps, deps.pool, position);
  // Without a publication that is left there is nothing to continue.
  const phase = head.phase === 'follows' && number === undefined ? 'begins' : head.phase;
  const epoch = restores.at(-1)?.epoch ?? head.epoch;
  const progress: Progress = { ...pickProgress(head), phase, position, number, epoch };
  const drafts = restores.map(({ restoredTo: to, ...restore }) => ({ kind: 'restore', ...restore, to }) as const);
  deps.log.warn({ restores }, 'tenders was restored: what it has lost stays in the log, void');
  return { kind: 'addition', addition: { drafts, progress }, isWhole: false, head: page.head };
}

function buildAnswer(
  plan: PagePlan,
  head: Progress,
  { isWhole, head: ownerHead }: { readonly isWhole: boolean; readonly head: number },
): OwnersAnswer {
  if ('refused' in plan)
    return { kind: 'problem', text: `a page of tenders was refused: ${plan.refused}`, head: ownerHead };
  const { drafts, position, number } = plan;
  const progress: Progress = { ...pickProgress(head), position, number };
  return { kind: 'addition', addition: { drafts, progress }, isWhole, head: ownerHead };
}

/** Adds redactions of states that are in the log, or are before them in this addition. */
async function withRedactions(
  deps: WriterDeps,
  answer: OwnersAnswer,
  page: RedactionPage | undefined,
): Promise<OwnersAnswer> {
  if (answer.kind !== 'addition') return answer;
  // Without an answer of the register publications go on; it is asked again.
  if (page === undefined) return { ...answer, isWhole: false, register: { hasAnswered: false, problem: undefined } };
  const { drafts, progress } = answer.addition;
  const plan = await planRedactions(deps, { drafts, position: progress.position, page });
  return {
    ...answer,
    addition: {
      drafts: [...drafts, ...plan.drafts],
      progress: { ...progress, redaction: plan.redaction ?? progress.redaction },
    },
    isWhole: answer.isWhole && !(page.isFull && plan.redaction !== undefined),
    register: { hasAnswered: true, problem: plan.problem },
  };
}

function pickProgress({ phase, position, number, epoch, redaction }: Progress): Progress {
  return { phase, position, number, epoch, redaction };
}
