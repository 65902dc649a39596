import type { IgnoredMember } from '@procurement/contracts/problems/ignored-members';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { editsInAnyStatus, ignoredMembers } from '@procurement/domain/ignored-members';
import type { Deps } from '../deps.ts';
import { WRITABLE_MEMBERS } from '../domain/document.decide.ts';
import type { DocumentVersion } from '../domain/document.ts';

/** Finds what a PATCH of a document sends and does not change (rulings R40). */
export function ignoredInDocument(
  { documentView }: Pick<Deps, 'documentView'>,
  body: BodyResult,
  {
    before,
    after,
    isPublic,
  }: { readonly before: DocumentVersion; readonly after: DocumentVersion; readonly isPublic: boolean },
): readonly IgnoredMember[] {
  if (body.kind === 'refused') return [];
  const shown = (version: DocumentVersion) => ({ ...documentView(version, isPublic ? 'public' : 'sealed') });
  return ignoredMembers({
    sent: body.data,
    before: shown(before),
    after: shown(after),
    edits: editsInAnyStatus([...WRITABLE_MEMBERS]),
  });
}
