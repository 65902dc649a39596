import type { Publication } from '../../revisions/domain/publication.ts';
import { withoutMemberOfBody, type MemberPath } from '../../revisions/domain/redact-text.ts';

/** A member that texts of some revisions of a tender must not have (register.md 11.5). */
export interface RedactionRule {
  readonly path: MemberPath;
  /** Both inclusive. */
  readonly firstRev: number;
  readonly lastRev: number;
}

/** A publication as it may be stored: the owner may still send what was removed here. */
export function redactedPublication(publication: Publication, rules: readonly RedactionRule[]): Publication {
  const { rev, text } = publication;
  let redacted = text;
  for (const { path, firstRev, lastRev } of rules) {
    if (redacted === undefined || rev < firstRev || rev > lastRev) continue;
    redacted = readable(redacted) ? (withoutMemberOfBody(redacted, path)?.text ?? redacted) : redacted;
  }
  return redacted === text ? publication : { ...publication, text: redacted, redacted: true };
}

function readable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
