import { explainedBody } from './explained-body.ts';
import type { Explanation } from './explanation.ts';
import { explanations } from './explanations.ts';
import { FAULTS, problem, problems, type Problem, type ProblemCode } from './problems.ts';

/** What a client does about the refusals of a status (http.md 4.2). */
const ADVICE: Readonly<Record<(typeof problems)[ProblemCode]['status'], string>> = {
  400: 'Correct the address or the parameters. Repeating the request does not help.',
  401: 'Send a known API key, as Basic or Bearer.',
  403: 'The caller has no permission, or the state of the object does not allow the request. Repeating it does not help.',
  404: 'The object does not exist, or the position of a reader is no longer valid: begin again without it.',
  405: 'The path lacks this method. `Allow` lists those that it has.',
  408: 'The body arrived too slowly. Repeat the request.',
  409: 'Another request changed the object at the same time, and nothing was stored. Read the object and repeat the request.',
  410: 'The tender is archived.',
  412: 'The object has changed since it was read. `ETag` is its present state: read it and make the change again.',
  413: 'The body or file is too large.',
  415: 'Send the body with the content type that the operation takes.',
  422: 'The body or a parameter is not valid. `pointer` names the member at fault, if there is one.',
  429: 'Wait as many seconds as `Retry-After` says.',
  500: 'A fault of the service. The outcome of a write is unknown: read the object before you repeat it.',
  502: 'A fault between services. The outcome of a write is unknown: read the object before you repeat it.',
  503: 'The service cannot answer now. Repeat the request after `Retry-After` seconds.',
  504: 'The service answered too late. The outcome of a write is unknown: read the object before you repeat it.',
};

/** What examples have in the place of `{member}`. */
const SAMPLES: Readonly<Record<string, string>> = {
  amount: '400.0',
  endDate: '2026-05-31T10:16:00+03:00',
  first: 'at',
  its: '2026-05-12T10:30:00+03:00',
  kind: 'tender',
  max: '100',
  member: 'title',
  name: 'limit',
  sent: '2026-05-12T10:29:59+03:00',
  start: '2026-05-10T00:00:00+03:00',
  end: '2026-05-20T18:00:00+03:00',
  status: 'complete',
  subject: 'bid',
};

const SAMPLES_OF: Readonly<Partial<Record<ProblemCode, Readonly<Record<string, string>>>>> = {
  'bid.to-status': { status: 'invalid' },
  'contract.closed': { status: 'terminated' },
  'contract.net-tax': { member: 'value' },
  'contract.net-equal': { member: 'value' },
  'contract.credentials-status': { status: 'terminated' },
  'ownership.contract-status': { status: 'terminated' },
  'change.add-status': { status: 'terminated' },
  'change.update-contract-status': { status: 'terminated' },
  'change.update-status': { status: 'active' },
  'transaction.update-status': { status: 'pending' },
  'document.related-unknown': { member: 'relatedItem' },
  'bid.terms': { member: 'value' },
  'log.not-found': { name: 'path' },
  'ocds.not-found': { name: 'ocid' },
  'params.expired': { name: 'cursor' },
  'params.not-found': { name: 'at' },
  'params.unknown': { name: 'Limit' },
  'tender.kind': { kind: 'authority' },
};

/** A row of the catalogue. `{member}` in a text is filled for each refusal. */
export interface CatalogueEntry extends Explanation {
  readonly code: string;
  /** One error of an answer on segment 2.5, as JSON. */
  readonly example: string;
  readonly location: string;
  readonly name: string;
  readonly description: string;
  readonly pointer?: string;
}

export interface CatalogueSection {
  readonly status: number;
  readonly advice: string;
  readonly entries: readonly CatalogueEntry[];
}

/** All refusals by status, for the pages of codes. */
export function errorCatalogue(): readonly CatalogueSection[] {
  // Safe cast: a constant object has exactly the keys of its type.
  const rows = Object.entries(problems) as [ProblemCode, (typeof problems)[ProblemCode]][];
  return Object.entries(ADVICE).map(([text, advice]) => {
    const status = Number(text);
    const entries = rows
      .filter(([, row]) => row.status === status)
      .map(([code, row]) => ({
        code,
        ...row,
        ...explanations[code],
        example: JSON.stringify(explainedBody(buildExample(code)).errors[0]),
      }));
    return { status, advice, entries };
  });
}

function buildExample(code: ProblemCode): Problem {
  const refusal = problem(code, { ...SAMPLES, ...SAMPLES_OF[code] });
  if (problems[code].description !== FAULTS.description) return refusal;
  return {
    ...refusal,
    errors: refusal.errors.map((error) => ({ ...error, description: ['This field is required.'] })),
  };
}
