import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { admitWrite, OWNER_UNSAID, type Admission } from './admission.ts';
import { repeatsStatus } from './repeated-status.ts';
import type { complaintRoleOf } from './roles.ts';

interface ComplaintChange {
  readonly body: BodyResult;
  readonly actor: Actor;
  readonly role: ReturnType<typeof complaintRoleOf>;
}

/**
 * The checks that precede the validation of a PATCH of a complaint. Accepts the owner who repeats the status: nothing is left to do
 * (rulings R27).
 */
export function admitComplaintChange(
  stored: StoredComplaint,
  { body, actor, role }: ComplaintChange,
): Admission | { readonly accepted: readonly [] } {
  const admission = admitWrite(body, actor, role !== 'stranger', { owned: OWNER_UNSAID });
  const isRepeat = 'data' in admission && role === 'complaint_owner' && repeatsStatus(stored, admission.data);
  return isRepeat ? { accepted: [] } : admission;
}
