import { API, requireBody, type TenderAnswer } from '../../api/reads.ts';
import type { ContractData } from '../../domain/contract.ts';
import { HEX_ID } from '../../domain/search-parameters.ts';
import { visibleText } from '../../format/visible-text.ts';
import { PageRefusal } from '../../page-refusal.ts';
import type { PageRoute } from '../../page-route.tsx';
import { textIn } from '../../parts/basics.tsx';
import { CONTRACT } from './texts.ts';
import { ContractView } from './view.tsx';

/** `/contracts/{id}`: one contract, as it is now and as it was signed. Its tender, which says the latter, may be missing. */
export const showContract: PageRoute = async ({ lang, origins, params, read, readBeside }) => {
  const { id = '' } = params;
  if (!HEX_ID.test(id)) throw new PageRefusal({ kind: 'no-page' });
  const { data: contract } = requireBody<{ data: ContractData }>(await read(`${API}/contracts/${id}`), 'no-page');
  const beside = await readBeside('contract-tender', `${API}/tenders/${contract.tender_id}`);
  const t = CONTRACT[lang];
  const numbered = t.numbered(visibleText(contract.contractNumber ?? contract.contractID));
  return {
    head: {
      title: visibleText(textIn(contract, 'title', lang)?.text ?? numbered),
      section: 'contracts',
      breadcrumbs: [
        { text: t.contracts, path: '/contracts' },
        { text: <span class="number">{visibleText(contract.contractID)}</span> },
      ],
      formats: [{ text: 'JSON', href: `${origins.api}${API}/contracts/${id}`, type: 'application/json' }],
    },
    // The sentence of a contract in force changes when its term ends.
    countsDown: contract.status === 'active' && contract.period?.endDate !== undefined,
    view: () => (
      <ContractView
        contract={contract}
        tender={beside === undefined ? undefined : requireBody<TenderAnswer>(beside).data}
      />
    ),
  };
};
