import { requireBody, listMode, type Found } from '../../api/reads.ts';
import { searchPath } from '../../api/search-path.ts';
import { findOrganization, readParty, type Organization } from '../../domain/party.ts';
import { PageRefusal } from '../../page-refusal.ts';
import type { PageRoute } from '../../page-route.tsx';
import { partyPageHead } from '../../parts/party-head.tsx';
import { SupplierView } from './view.tsx';

const ROWS = 10;

/** A whole tender, as far as it names suppliers and bidders. */
interface WholeTender {
  readonly awards?: readonly { readonly suppliers?: readonly Organization[] }[];
  readonly bids?: readonly { readonly tenderers?: readonly Organization[] }[];
}

/** `/suppliers/{scheme}-{id}`: where a bidder was chosen, and where he bade. */
export const showSupplier: PageRoute = async ({ lang, params, read, readBeside }, { sandbox }) => {
  const party = readParty(params['key'] ?? '');
  if (party === undefined) throw new PageRefusal({ kind: 'no-page' });
  const mode = await listMode(read, sandbox);
  const find = async (role: 'supplier' | 'bidder'): Promise<Found> =>
    requireBody<Found>(await read(searchPath({ ...mode, [role]: party.key }, { limit: ROWS, total: 1 })), 'no-page');
  const [won, bids, whole] = await Promise.all([
    find('supplier'),
    find('bidder'),
    readBeside('supplier-name', searchPath({ ...mode, bidder: party.key }, { limit: 1, expand: 1 })),
  ]);
  if (won.data.length + bids.data.length === 0) throw new PageRefusal({ kind: 'no-page' });
  const tenders = whole === undefined ? [] : requireBody<{ data: readonly WholeTender[] }>(whole).data;
  const named = tenders.flatMap((tender) => [
    ...(tender.awards ?? []).flatMap(({ suppliers = [] }) => suppliers),
    ...(tender.bids ?? []).flatMap(({ tenderers = [] }) => tenderers),
  ]);
  const found = findOrganization(party, named);
  return {
    head: partyPageHead(party, found, lang),
    view: () => <SupplierView party={party} found={found} won={won} bids={bids} />,
    countsDown: [...won.data, ...bids.data].some(({ status }) => status === 'active.tendering'),
  };
};
