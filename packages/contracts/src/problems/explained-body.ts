import { jsonPointer } from '../reading/json-pointer.ts';
import { FAULTS, problems, type Description, type ErrorEntry, type Problem, type ProblemRow } from './problems.ts';

/** An error on segment 2.5. */
export interface ExplainedError extends ErrorEntry {
  readonly code: string;
  /** Address of the explanation of the code, on the host of the API. */
  readonly link: string;
}

/** Page of all codes, with an anchor for each. */
export const ERRORS_PATH = '/docs/errors';

/** The JSON body of the answer on segment 2.5 (http.md 4.6). */
export function explainedBody({ code, errors }: Problem): { status: 'error'; errors: readonly ExplainedError[] } {
  const link = `${ERRORS_PATH}#${code}`;
  return {
    status: 'error',
    errors: errors.map(({ location, name, description, pointer: own, ...allowance }) => {
      const pointer = own ?? findPointer(code, { location, name, description });
      return { location, name, description, code, ...(pointer === undefined ? {} : { pointer }), link, ...allowance };
    }),
  };
}

function findPointer(code: string, { location, name, description }: ErrorEntry): string | undefined {
  if (location === 'documents') return jsonPointer(['data', location]);
  const rows: Readonly<Record<string, ProblemRow>> = problems;
  const row = Object.hasOwn(rows, code) ? rows[code] : undefined;
  if (row?.name !== FAULTS.name) return row?.pointer;
  return location === 'body' ? jsonPointer(['data', name, ...innerPath(description)]) : undefined;
}

/** The path to the only fault of a description. A list ends it, because descriptions do not have positions. */
function innerPath(description: Description): readonly string[] {
  if (typeof description === 'string' || isDescriptionList(description)) return [];
  const [only, ...others] = Object.entries(description);
  return only === undefined || others.length > 0 ? [] : [only[0], ...innerPath(only[1])];
}

function isDescriptionList(description: Description): description is readonly Description[] {
  return Array.isArray(description);
}
