import type { Revision, Tender } from '@procurement/client';
import { API, requireBody, type TenderAnswer } from '../../api/reads.ts';
import type { Deps } from '../../deps.ts';
import { differenceRows, type PatchOperation } from '../../domain/difference-rows.ts';
import { PageRefusal } from '../../page-refusal.ts';
import type { Page, PageRequest, PageRoute } from '../../page-route.tsx';
import type { PageHead } from '../../parts/document.tsx';
import { findTenderId } from '../tender/route.tsx';
import { TENDER } from '../tender/texts.ts';
import { HISTORY } from './texts.ts';
import { DifferenceView, HistoryView, OldStateView } from './view.tsx';

const STATES_SHOWN = 50;
/** What was public once stays as it was, unless a law removes a part of it. */
const OLD_STATE = 'public, max-age=86400';
const REV = '[1-9]\\d{0,8}';

/** The answer of `…/history`. */
interface RevisionList {
  readonly data: readonly Revision[];
  readonly complete?: boolean;
  readonly next_page?: { readonly cursor: string };
}

type OldState = TenderAnswer & { readonly revision: Revision };

/** `…/history`: the states, newest first. Its form asks for the difference of two of them. */
export const showHistory: PageRoute = async (request, deps) => {
  const { lang, params, query, read } = request;
  const { number = '' } = params;
  const { from = '', to = '', cursor } = query;
  if (new RegExp(`^${REV}\\.\\.${REV}$`).test(`${from}..${to}`))
    return { path: `/tenders/${number}/history/${from}..${to}`, status: 303 };
  const id = await findTenderId(request, deps);
  const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const list = requireBody<RevisionList>(
    await read(`${API}/tenders/${id}/history?descending=1&limit=${STATES_SHOWN}${page}`),
  );
  return {
    head: buildHead(request, HISTORY[lang].title, cursor !== undefined),
    view: () => (
      <HistoryView
        number={number}
        revisions={list.data}
        isComplete={list.complete ?? true}
        cursor={list.next_page?.cursor}
      />
    ),
  };
};

/** `…/history/{rev}` and `…/history/{from}..{to}`: one old state, or how two differ. */
export const showHistoryPart: PageRoute = async (request, deps) => {
  const [, from = '', to] = new RegExp(`^(${REV})(?:\\.\\.(${REV}))?$`).exec(request.params['rev'] ?? '') ?? [];
  if (from === '') throw new PageRefusal({ kind: 'no-page' });
  return to === undefined ? oldState(request, deps, from) : difference(request, deps, Number(from), Number(to));
};

async function oldState(request: PageRequest, deps: Deps, rev: string): Promise<Page> {
  const { lang, params, read } = request;
  const id = await findTenderId(request, deps);
  const answer = await read(`${API}/tenders/${id}/history/${rev}`);
  const { data: tender, revision } = requireBody<OldState>(answer, 'no-page');
  return {
    head: buildHead(request, HISTORY[lang].state(revision.rev), true),
    view: () => <OldStateView number={params['number'] ?? ''} tender={tender} revision={revision} />,
    cacheControl: OLD_STATE,
    // Its periods are seen as they stood then.
    nowMs: Date.parse(revision.dateModified),
  };
}

async function difference(request: PageRequest, deps: Deps, from: number, to: number): Promise<Page> {
  const { lang, params, read } = request;
  const id = await findTenderId(request, deps);
  const [before, changes] = await Promise.all([
    read(`${API}/tenders/${id}/history/${from}`),
    read(`${API}/tenders/${id}/history/${to}/changes?from=${from}`),
  ]);
  const { data: state } = requireBody<{ readonly data: Tender }>(before, 'no-page');
  const { data: patch } = requireBody<{ readonly data: readonly PatchOperation[] }>(changes, 'no-page');
  const differences = differenceRows(state, patch);
  return {
    head: buildHead(request, HISTORY[lang].difference(from, to), true),
    view: () => <DifferenceView number={params['number'] ?? ''} from={from} to={to} differences={differences} />,
    cacheControl: OLD_STATE,
  };
}

function buildHead({ lang, params }: PageRequest, title: string, noIndex: boolean): PageHead {
  const { number = '' } = params;
  const isPart = title !== HISTORY[lang].title;
  const path = `/tenders/${number}`;
  return {
    title: `${title} – ${number}`,
    section: 'tenders',
    noIndex,
    breadcrumbs: [
      { text: TENDER[lang].tenders, path: '/tenders' },
      { text: <span class="number">{number}</span>, path },
      { text: HISTORY[lang].title, ...(isPart ? { path: `${path}/history` } : {}) },
      ...(isPart ? [{ text: title }] : []),
    ],
  };
}
