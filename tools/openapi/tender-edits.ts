import type { TenderStatus } from '@procurement/contracts/resources/tender';
import type { TenderRole } from '@procurement/domain/roles';
import { statusesThat } from '@procurement/domain/tender-status';
import type { OperationRules } from '../../services/gateway/src/description/described-route.ts';
import { editableMembers } from '../../services/tenders/src/domain/tender.permissions.ts';
import { CALLERS, codes, listText, whileIn } from './rule-texts.ts';

const editorRoles: readonly TenderRole[] = ['tender_owner', 'Administrator', 'chronograph'];

/** Who changes what of a tender: one clause for each role, in the statuses in which the role changes the same. */
export function tenderEdits(): Pick<OperationRules, 'who' | 'when' | 'changes'> {
  const rows = editorRoles.flatMap((role) => {
    const membersIn = (status: TenderStatus): string => codes(editableMembers(role, status));
    const open = statusesThat((status) => editableMembers(role, status).length > 0);
    return [...new Set(open.map(membersIn))].map((members) => ({
      role: CALLERS[role] ?? role,
      statuses: open.filter((status) => membersIn(status) === members),
      members,
    }));
  });
  return {
    who: listText([...new Set(rows.map(({ role }) => role))]),
    when: rows.map(({ role, statuses }) => `${role} ${whileIn(statuses)}`).join('; '),
    changes: `${rows.map(({ role, members }) => `${role}: ${members}`).join('; ')}. Other members are validated, ignored, and named in Ignored-Members`,
  };
}
