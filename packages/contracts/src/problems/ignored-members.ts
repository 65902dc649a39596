import { jsonPointer } from '../reading/json-pointer.ts';
import { problem, type Problem } from './problems.ts';

/** Response header that names the members of a PATCH that had no effect (rulings R40). */
export const IGNORED_MEMBERS_HEADER = 'ignored-members';

/** A member that a PATCH sends and that the service ignores. */
export interface IgnoredMember {
  readonly path: readonly string[];
  /** Statuses of the object in which the caller may set it; none when no status alone is enough. */
  readonly allowedStatuses: readonly string[];
}

/** The value of the header: JSON Pointers into `data`, separated by commas. A header takes ASCII only. */
export function ignoredMembersHeader(paths: readonly (readonly string[])[]): string {
  return paths.map((path) => encodeURI(jsonPointer(path))).join(', ');
}

/** The 403 of a request with `Prefer: handling=strict`, with an error for each ignored member. */
export function ignoredMembersProblem(ignored: readonly IgnoredMember[]): Problem {
  const errors = ignored.flatMap(({ path, allowedStatuses }) =>
    problem('object.ignored-members', { member: path[0] ?? '' }).errors.map((entry) => ({
      ...entry,
      pointer: jsonPointer(['data', ...path]),
      ...(allowedStatuses.length === 0 ? {} : { allowedStatuses }),
    })),
  );
  return { ...problem('object.ignored-members'), errors };
}
