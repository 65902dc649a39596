import type { VNode } from 'preact';
import { API } from '../../api/reads.ts';
import type { ContractData } from '../../domain/contract.ts';
import { CONTRACT_NOT_SHOWN, CONTRACT_SHOWN_IN } from '../../domain/shown-contract-members.table.ts';
import { unknownMembers } from '../../domain/shown-members.table.ts';
import { OpenData } from '../../parts/open-data.tsx';
import { usePage } from '../../parts/page-context.ts';
import { CONTRACT } from './texts.ts';

/** Where the same can be read by programs. */
export function DataSection({ contract }: { readonly contract: ContractData }): VNode {
  const { lang, site } = usePage();
  const t = CONTRACT[lang];
  const { id, tender_id: tenderId, owner, dateCreated, dateModified } = contract;
  return (
    <OpenData
      addresses={[
        ['JSON', `${site.apiUrl}${API}/contracts/${id}`],
        ['OCDS', `${site.apiUrl}/api/ocds/records/${tenderId}`],
      ]}
      values={[
        ['id', id],
        ['tender_id', tenderId],
        [t.platform, owner],
        ...(dateCreated === undefined ? [] : [[t.created, dateCreated] as const]),
        ...(dateModified === undefined ? [] : [[t.modified, dateModified] as const]),
      ]}
      unknown={unknownMembers(contract, CONTRACT_SHOWN_IN, CONTRACT_NOT_SHOWN)}
    />
  );
}
