import type { IgnoredMember } from '@procurement/contracts/problems/ignored-members';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { TENDER_STATUSES, type TenderStatus } from '@procurement/contracts/resources/tender';
import { ignoredMembers } from '@procurement/domain/ignored-members';
import { tenderRoleOf } from '@procurement/domain/roles';
import { tenderTime } from '@procurement/domain/tender-time';
import type { Actor } from '@procurement/contracts/api/actor';
import type { Deps } from '../deps.ts';
import { hasAuction } from '../domain/auction-period.ts';
import type { Subresource } from '../domain/subresource.ts';
import { editableMembers } from '../domain/tender.permissions.ts';
import type { TenderState } from '../domain/tender.ts';
import { publicView } from '../domain/tender.view.ts';
import { requireView } from './subresource-response.ts';

/** A write that was accepted: its body, and the tender before and after it. */
interface AcceptedWrite {
  readonly body: BodyResult;
  readonly actor: Actor;
  readonly before: TenderState;
  readonly after: TenderState;
}

/** Made anew for each answer, so that a client that sends a tender back sends older values of them. */
const MADE_FOR_ANSWERS: ReadonlySet<string> = new Set(['dateModified', 'next_check']);

/** What a PATCH or PUT of a tender sends and does not change (rulings R40). */
export function ignoredInTender(deps: Deps, { body, actor, before, after }: AcceptedWrite): readonly IgnoredMember[] {
  if (body.kind === 'refused') return [];
  const now = tenderTime(deps.clock.now(), before);
  const role = tenderRoleOf(before, actor);
  return ignoredMembers({
    sent: Object.fromEntries(Object.entries(body.data).filter(([name]) => !MADE_FOR_ANSWERS.has(name))),
    before: publicView(before, now, deps.settings),
    after: publicView(after, now, deps.settings),
    edits: {
      status: before.document.status,
      statuses: TENDER_STATUSES,
      // Safe cast: a status of the list.
      membersIn: (status) => editableMembers(role, status as TenderStatus, actor.segment, hasAuction(before.document)),
    },
  });
}

/** The same for a PATCH of the object `id` of a collection; none for other writes. */
export function ignoredInSubresource(
  deps: Deps,
  { subresource, type, id }: { readonly subresource: Subresource; readonly type: string; readonly id: string },
  { body, actor, before, after }: AcceptedWrite,
): readonly IgnoredMember[] {
  if (type !== subresource.changeCommand || body.kind === 'refused') return [];
  return ignoredMembers({
    sent: body.data,
    before: requireView(deps, subresource, before, id),
    after: requireView(deps, subresource, after, id),
    edits: subresource.edits({ before, after, id, actor, settings: deps.settings }),
  });
}
