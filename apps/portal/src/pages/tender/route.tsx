import type { Revision } from '@procurement/client';
import { API, requireBody, type TenderAnswer } from '../../api/reads.ts';
import { HEX_ID, NUMBER } from '../../domain/search-parameters.ts';
import { PageRefusal } from '../../page-refusal.ts';
import { NO_STORE, type Page, type PageRequest, type PageRoute } from '../../page-route.tsx';
import type { Deps } from '../../deps.ts';
import { textIn } from '../../parts/basics.tsx';
import { pathIn } from '../../parts/page-context.ts';
import { TENDER } from './texts.ts';
import { TenderView } from './view.tsx';

const REVISIONS_SHOWN = 5;

interface LookedUp {
  readonly id: string;
  /** Id of the contract whose number it is. */
  readonly contract?: string;
}

/**
 * What a number names. The id of a tender never changes: it is asked for once, and a page of a known number does not need the register. Throws a
 * refusal when the number names nothing.
 */
async function lookUp({ params, read }: PageRequest, { tenderIds }: Deps): Promise<LookedUp> {
  const { number = '' } = params;
  if (!NUMBER.test(number)) throw new PageRefusal({ kind: 'no-tender' });
  const known = tenderIds.get(number);
  if (known !== undefined) return { id: known };
  const { data } = requireBody<{ data: readonly LookedUp[] }>(await read(lookupPath(number)));
  const [found] = data;
  if (found === undefined) throw new PageRefusal({ kind: 'no-tender' });
  if (found.contract === undefined) tenderIds.set(number, found.id);
  return found;
}

/** The id of a tender by its number. Throws a refusal when there is no such tender. */
export async function findTenderId(request: PageRequest, deps: Deps): Promise<string> {
  const { id, contract } = await lookUp(request, deps);
  if (contract !== undefined) throw new PageRefusal({ kind: 'no-tender' });
  return id;
}

const lookupPath = (number: string): string => `${API}/lookup?ids=${encodeURIComponent(number)}`;

const canLookUp = async ({ readBeside }: PageRequest, number: string): Promise<boolean> =>
  (await readBeside('number', lookupPath(number))) !== undefined;

/** `/tenders/{UA-number}`. The number of a contract leads to its page, a hex id to the number; a draft has none in the register, and is shown by its id. */
export const showTender: PageRoute = async (request, deps) => {
  const { number = '' } = request.params;
  if (!HEX_ID.test(number)) {
    const { id, contract } = await lookUp(request, deps);
    return contract === undefined ? tenderPage(request, id) : { path: `/contracts/${contract}`, status: 303 };
  }
  const answer = requireBody<TenderAnswer>(await request.read(`${API}/tenders/${number}`));
  const { status, tenderID } = answer.data;
  const hasNumber = status !== 'draft' && NUMBER.test(tenderID);
  // Without the register the page of the number could not be found, so this is the page itself (portal.md 4, 13).
  const isFound = hasNumber && (deps.tenderIds.has(tenderID) || (await canLookUp(request, tenderID)));
  return isFound ? { path: `/tenders/${tenderID}`, status: 301 } : tenderPage(request, number);
};

/** `…/version`: the newest `dateModified`, for the notice that a tender has changed. */
export const showVersion: PageRoute = async (request, deps) => {
  const id = await findTenderId(request, deps);
  const { data } = requireBody<TenderAnswer>(await request.read(`${API}/tenders/${id}`));
  return { text: data.dateModified, contentType: 'text/plain; charset=utf-8' };
};

async function tenderPage({ lang, origins, read, readBeside, nowMs }: PageRequest, id: string): Promise<Page> {
  const tenderRead = read(`${API}/tenders/${id}`);
  const historyRead = readBeside('history', `${API}/tenders/${id}/history?descending=1&limit=${REVISIONS_SHOWN}`);
  const answer = await tenderRead;
  const { data: tender } = requireBody<TenderAnswer>(answer);
  const clock = answer.isSandbox ? await readBeside('clock', `${API}/sandbox/tenders/${id}/clock`) : undefined;
  // Safe cast: the API's description of this answer; anything else has no `now`.
  const clockNow = (clock?.body as { data?: { now?: string } } | undefined)?.data?.now;
  const history = await historyRead;
  const title = textIn(tender, 'title', lang)?.text ?? tender.tenderID;
  const isDraft = tender.status === 'draft';
  return {
    head: {
      title,
      description: textIn(tender, 'description', lang)?.text.slice(0, 300) ?? title,
      section: 'tenders',
      breadcrumbs: [
        { text: TENDER[lang].tenders, path: '/tenders' },
        { text: <span class="number">{tender.tenderID}</span> },
      ],
      formats: [
        { text: 'Atom', href: pathIn(lang, `/tenders/${tender.tenderID}.atom`), type: 'application/atom+xml' },
        { text: 'JSON', href: `${origins.api}${API}/tenders/${id}`, type: 'application/json' },
        { text: 'OCDS', href: `${origins.api}/api/ocds/records/${id}`, type: 'application/json' },
      ],
      noIndex: isDraft,
    },
    view: () => (
      <TenderView
        tender={tender}
        versionPath={`/tenders/${tender.tenderID}/version`}
        revisions={history === undefined ? undefined : requireBody<{ data: readonly Revision[] }>(history).data}
      />
    ),
    nowMs: clockNow === undefined ? nowMs : Date.parse(clockNow),
    countsDown: String(tender.status).startsWith('active.'),
    ...(isDraft ? { cacheControl: NO_STORE } : {}),
  };
}
