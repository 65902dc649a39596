import { API, requireBody, listMode, type Found, type Statistics } from '../../api/reads.ts';
import { searchPath } from '../../api/search-path.ts';
import { findOrganization, readParty, type Organization } from '../../domain/party.ts';
import { PageRefusal } from '../../page-refusal.ts';
import type { PageRoute } from '../../page-route.tsx';
import { partyPageHead } from '../../parts/party-head.tsx';
import { pathIn } from '../../parts/page-context.ts';
import { BUYER } from './texts.ts';
import { BuyerView } from './view.tsx';

const ROWS = 20;
/** A date before the first tender of any installation. */
const SINCE = '2015-01-01';

/** `/buyers/{scheme}-{id}`: a buyer in figures, and the newest tenders. */
export const showBuyer: PageRoute = async ({ lang, origins, params, read, readBeside }, { sandbox }) => {
  const party = readParty(params['key'] ?? '');
  if (party === undefined) throw new PageRefusal({ kind: 'no-page' });
  const mode = await listMode(read, sandbox);
  const asked = { ...mode, buyer: party.key };
  const query = new URLSearchParams({ ...mode, by: 'buyer', buyer: party.key, from: SINCE });
  const tendersPath = searchPath(asked, { limit: ROWS, total: 1, facets: 'status,cpv' });
  const [tenders, sums, whole] = await Promise.all([
    read(tendersPath).then((answer) => requireBody<Found>(answer, 'no-page')),
    readBeside('buyer-statistics', `${API}/statistics?${query.toString()}`),
    readBeside('buyer-address', searchPath(asked, { limit: 1, expand: 1 })),
  ]);
  if (tenders.data.length === 0) throw new PageRefusal({ kind: 'no-page' });
  const buyers = (found: Found): readonly Organization[] =>
    found.data.flatMap(({ procuringEntity }) => procuringEntity ?? []);
  const found = findOrganization(party, [
    ...(whole === undefined ? [] : buyers(requireBody<Found>(whole))),
    ...buyers(tenders),
  ]);
  return {
    head: {
      ...partyPageHead(party, found, lang),
      formats: [
        { text: 'Atom', href: pathIn(lang, `/tenders.atom?buyer=${party.key}`), type: 'application/atom+xml' },
        { text: BUYER[lang].api, href: origins.api + tendersPath, type: 'application/json' },
      ],
    },
    view: () => (
      <BuyerView
        party={party}
        found={found}
        tenders={tenders}
        sums={sums === undefined ? undefined : requireBody<Statistics>(sums).data[0]}
      />
    ),
    countsDown: tenders.data.some(({ status }) => status === 'active.tendering'),
  };
};
