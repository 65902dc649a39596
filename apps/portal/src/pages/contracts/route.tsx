import { API, requireBody, listMode, type Found } from '../../api/reads.ts';
import { searchPath } from '../../api/search-path.ts';
import type { ContractData } from '../../domain/contract.ts';
import type { PageRoute } from '../../page-route.tsx';
import { CONTRACT } from '../contract/texts.ts';
import { ContractsView } from './view.tsx';

const ROWS = 20;
/** What a row shows, and `tender_id` for its title. Items and changes are left out: those of a page could be more than an answer may have. */
const MEMBERS = [
  'status',
  'date',
  'tender_id',
  'contractID',
  'contractNumber',
  'title',
  'title_en',
  'value',
  'amountPaid',
  'dateSigned',
  'period',
  'mode',
  'procuringEntity',
  'suppliers',
] as const;

/** A contract in the list. */
export type ContractRow = Pick<ContractData, 'id' | Extract<(typeof MEMBERS)[number], keyof ContractData>>;

interface ContractsPage {
  readonly data: readonly ContractRow[];
  readonly next_page: { readonly offset: string };
}

/** `/contracts`: those that changed last, from the feed. */
export const showContracts: PageRoute = async ({ lang, origins, query, read, readBeside }, { sandbox }) => {
  const { offset } = query;
  const mode = await listMode(read, sandbox);
  const parameters = new URLSearchParams({
    ...mode,
    descending: '1',
    limit: String(ROWS),
    opt_fields: MEMBERS.join(','),
    ...(offset === undefined ? {} : { offset }),
  });
  const path = `${API}/contracts?${parameters.toString()}`;
  const answer = await read(path);
  // The place of another installation.
  if (answer.status === 404 && offset !== undefined) return { path: '/contracts', status: 303 };
  const { data, next_page: next } = requireBody<ContractsPage>(answer, 'no-page');
  const found =
    data.length === 0
      ? undefined
      : await readBeside(
          'contract-tenders',
          searchPath({ ...mode, contract: data.map(({ id }) => id).join() }, { limit: ROWS }),
        );
  const tenders = found === undefined ? [] : requireBody<Found>(found).data;
  const t = CONTRACT[lang];
  return {
    head: {
      title: t.contracts,
      description: t.listLead,
      section: 'contracts',
      formats: [{ text: 'JSON', href: origins.api + path, type: 'application/json' }],
    },
    view: () => (
      <ContractsView
        contracts={data}
        tenders={new Map(tenders.map((tender) => [tender.id, tender]))}
        older={data.length === ROWS ? next.offset : undefined}
        isFirst={offset === undefined}
        api={origins.api + path}
      />
    ),
  };
};
