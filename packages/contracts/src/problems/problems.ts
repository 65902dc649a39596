/**
 * The table of problems: every error that a client can receive.
 *
 * Shape of the body: `{"status":"error","errors":[{"location","name","description"}]}` (http.md 4.1).
 * On segment 2.5 each error has the code, a pointer to the member at fault, and a link to the page of all codes (http.md 4.6).
 * A code never changes its meaning and is never used again for another problem; new ones may come at any time. A link is a path,
 * so that it follows the host of the request. The document service has no segment and leaves all three out.
 */

import { contractProblems } from './contract-problems.ts';
import { documentProblems } from './document-problems.ts';
import { limitProblems } from './limit-problems.ts';
import { parameterProblems } from './parameter-problems.ts';
import { lotProblem, stateProblem } from './state-problem.ts';
import { webhookProblems } from './webhook-problems.ts';

/** `description` of one error: a text, a list of texts, or an object of the same by member (http.md 4.4). */
export type Description = string | readonly Description[] | { readonly [member: string]: Description };

/** When or with what the request would be allowed, as far as the refusal depends on that. Segment 2.5 shows it (http.md 4.6). */
export interface Allowance {
  readonly allowedFrom?: string | undefined;
  readonly allowedUntil?: string | undefined;
  /** Statuses of the object that the description names. */
  readonly allowedStatuses?: readonly string[] | undefined;
  /** Values of a parameter, or how they are written. */
  readonly allowedValues?: readonly string[] | undefined;
}

export interface ErrorEntry extends Allowance {
  readonly location: string;
  readonly name: string;
  readonly description: Description;
  /** JSON Pointer into the body, where it shows more than name and description: a fault inside a list. */
  readonly pointer?: string;
}

/** Why a request is refused. `headers` are additional response headers (Allow, Retry-After). */
export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ProblemRow extends Allowance {
  readonly status: number;
  readonly location: string;
  readonly name: string;
  /** `{member}` is replaced by the argument of that name. */
  readonly description: string;
  /** JSON Pointer to the member of the body that is at fault. */
  readonly pointer?: string;
}

/** Refusals of members of the body: `invalid` makes their errors, one for each failing member (http.md 4.4). */
export const FAULTS = { status: 422, location: 'body', name: '{member}', description: '{faults}' } as const;

/** One row per problem. Literal texts: http.md 4.3, tenders.md 1.2, bids-awards-auction.md 1.2. */
export const problems = {
  'request.bad': { status: 400, location: 'url', name: 'bad_request', description: 'Bad Request' },
  'request.key-missing': {
    status: 401,
    location: 'header',
    name: 'Authorization',
    description: 'Broker API key required',
  },
  'request.key-unknown': {
    status: 401,
    location: 'header',
    name: 'Authorization',
    description: 'Broker API key unknown or revoked',
  },
  'request.forbidden': { status: 403, location: 'url', name: 'permission', description: 'Forbidden' },
  'request.token-missing': { status: 403, location: 'url', name: 'permission', description: 'Forbidden' },
  'request.token-wrong': { status: 403, location: 'url', name: 'permission', description: 'Forbidden' },
  'request.other-broker': { status: 403, location: 'url', name: 'permission', description: 'Forbidden' },
  'request.role-forbidden': { status: 403, location: 'url', name: 'role', description: 'Forbidden' },
  'request.level': {
    status: 403,
    location: 'procurementMethodType',
    name: 'accreditation',
    description: 'Broker Accreditation level does not permit {subject} creation',
  },
  'request.test-only': {
    status: 403,
    location: 'procurementMethodType',
    name: 'mode',
    description: 'Broker Accreditation level does not permit {subject} creation',
  },
  'ownership.level': {
    status: 403,
    location: 'url',
    name: 'accreditation',
    description: 'Broker Accreditation level does not permit ownership change',
  },
  'ownership.test-only': {
    status: 403,
    location: 'url',
    name: 'mode',
    description: 'Broker Accreditation level does not permit ownership change',
  },
  'ownership.owner-level': {
    status: 403,
    location: 'url',
    name: 'accreditation',
    description: 'Owner Accreditation level does not permit ownership change',
  },
  'ownership.status': stateProblem("Can't update credentials in current ({status}) tender status"),
  'ownership.transfer': {
    status: 403,
    location: 'body',
    name: 'transfer',
    description: 'Invalid transfer',
    pointer: '/data/transfer',
  },
  'ownership.transfer-used': {
    status: 403,
    location: 'body',
    name: 'transfer',
    description: 'Transfer already used',
    pointer: '/data/transfer',
  },
  'request.not-found': { status: 404, location: 'url', name: 'not_found', description: 'Not Found' },
  'object.not-found': { status: 404, location: 'url', name: '{kind}_id', description: 'Not Found' },
  'bid.seal-not-disclosed': { status: 404, location: 'url', name: 'bids_seal', description: 'Not Found' },
  'object.ignored-members': {
    status: 403,
    location: 'body',
    name: '{member}',
    description: "Can't update {member} now",
  },
  'request.method': { status: 405, location: 'url', name: 'method_not_allowed', description: 'Method Not Allowed' },
  'request.timeout': { status: 408, location: 'url', name: 'request_timeout', description: 'Request Timeout' },
  'object.conflict': { status: 409, location: 'body', name: 'data', description: 'Document update conflict.' },
  'object.archived': { status: 410, location: 'url', name: 'tender_id', description: 'Archived' },
  'request.precondition': { status: 412, location: 'url', name: 'precondition', description: 'Precondition Failed' },
  'request.too-large': { status: 413, location: 'body', name: 'data', description: 'Request Entity Too Large' },
  'request.content-type': {
    status: 415,
    location: 'header',
    name: 'Content-Type',
    description: "Content-Type header should be one of ['application/json']",
  },
  'request.content-encoding': {
    status: 415,
    location: 'header',
    name: 'Content-Encoding',
    description: 'Compressed request bodies are not supported',
  },
  'tender.method-type': {
    status: 415,
    location: 'data',
    name: 'procurementMethodType',
    description: 'Not implemented',
    pointer: '/data/procurementMethodType',
  },
  'body.unreadable': { status: 422, location: 'body', name: 'data', description: 'No JSON object could be decoded' },
  'body.no-data': { status: 422, location: 'body', name: 'data', description: 'Data not available' },
  'body.invalid': FAULTS,
  'body.undecodable': { status: 422, location: 'body', name: 'data', description: 'could not decode params' },
  'feed.offset': { status: 404, location: 'params', name: 'offset', description: 'Offset expired/invalid' },
  'feed.limit': {
    status: 400,
    location: 'params',
    name: 'limit',
    description: 'limit should be a whole number from 1 to {max}',
  },
  'feed.opt-fields': {
    status: 422,
    location: 'params',
    name: 'opt_fields',
    description: 'opt_fields should be at most {max} characters',
  },
  'tender.kind': {
    status: 403,
    location: 'procuringEntity',
    name: 'kind',
    description:
      "'{kind}' procuringEntity cannot publish this type of procedure. Only general, special, defense, other are allowed.",
    pointer: '/data/procuringEntity/kind',
  },
  'tender.update-status': stateProblem("Can't update tender in current ({status}) status"),
  'question.add-period': stateProblem('Can add question only in enquiryPeriod'),
  'question.add-lot': lotProblem('Can add question only in active lot status'),
  'question.update-status': stateProblem("Can't update question in current ({status}) tender status"),
  'question.update-lot': lotProblem('Can update question only in active lot status'),
  'complaint.add-status': stateProblem("Can't add complaint in current ({status}) tender status"),
  'complaint.update-tender-status': stateProblem("Can't update complaint in current ({status}) tender status"),
  'complaint.update-status': stateProblem("Can't update complaint in current ({status}) status"),
  'complaint.resolution-short': {
    ...stateProblem("Can't update complaint: resolution too short"),
    pointer: '/data/resolution',
  },
  'complaint.update': stateProblem("Can't update complaint"),
  'cancellation.add-status': stateProblem("Can't add cancellation in current ({status}) tender status"),
  'cancellation.add-lot': lotProblem('Can add cancellation only in active lot status'),
  'cancellation.update-status': stateProblem("Can't update cancellation in current ({status}) tender status"),
  'cancellation.update-lot': lotProblem('Can update cancellation only in active lot status'),
  'lot.add-status': stateProblem("Can't add lot in current ({status}) tender status"),
  'lot.update-status': stateProblem("Can't update lot in current ({status}) tender status"),
  'lot.delete-status': stateProblem("Can't delete lot in current ({status}) tender status"),
  'bid.add-status': stateProblem("Can't add bid in current ({status}) tender status"),
  'bid.add-period': stateProblem('Bid can be added only during the tendering period: from ({start}) to ({end}).'),
  'bid.update-status': stateProblem("Can't update bid in current ({status}) tender status"),
  'bid.update-period': stateProblem('Bid can be updated only during the tendering period: from ({start}) to ({end}).'),
  'bid.to-status': {
    status: 403,
    location: 'body',
    name: 'bid',
    description: "Can't update bid to ({status}) status",
    pointer: '/data/status',
  },
  'bid.delete-status': stateProblem("Can't delete bid in current ({status}) tender status"),
  'bid.delete-period': stateProblem('Bid can be deleted only during the tendering period: from ({start}) to ({end}).'),
  'bid.list-sealed': stateProblem("Can't view bids in current ({status}) tender status"),
  'bid.sealed': stateProblem("Can't view bid in current ({status}) tender status"),
  'bid.receipt': { status: 404, location: 'url', name: 'receipt', description: 'Not Found' },
  'bid.terms': FAULTS,
  'auction.get-status': stateProblem("Can't get auction info in current ({status}) tender status"),
  'auction.urls-status': stateProblem("Can't update auction urls in current ({status}) tender status"),
  'auction.report-status': stateProblem("Can't report auction results in current ({status}) tender status"),
  'auction.urls-lot': lotProblem('Can update auction urls only in active lot status'),
  'auction.report-lot': lotProblem('Can report auction results only in active lot status'),
  'award.add-status': stateProblem("Can't create award in current ({status}) tender status"),
  'award.add-lot': lotProblem('Can create award only in active lot status'),
  'award.add-another': stateProblem("Can't create new award while any ({status}) award exists"),
  'award.update-tender-status': stateProblem("Can't update award in current ({status}) tender status"),
  'award.update-lot': lotProblem('Can update award only in active lot status'),
  'award.update-status': stateProblem("Can't update award in current ({status}) status"),
  'award-complaint.add-lot': lotProblem('Can add complaint only in active lot status'),
  'award-complaint.add-period': stateProblem('Can add complaint only in complaintPeriod'),
  'award-complaint.update-lot': lotProblem('Can update complaint only in active lot status'),
  ...contractProblems,
  ...documentProblems,
  ...limitProblems,
  ...parameterProblems,
  ...webhookProblems,
  'request.idempotency-key': {
    status: 422,
    location: 'header',
    name: 'Idempotency-Key',
    description: 'Idempotency-Key should be 1 to 255 printable characters',
  },
  'request.idempotency-body': {
    status: 422,
    location: 'header',
    name: 'Idempotency-Key',
    description: 'Idempotency-Key was used with another body',
  },
  'request.dry-run': {
    status: 422,
    location: 'params',
    name: 'opt_dry_run',
    description: 'Dry run is not supported',
  },
  'request.too-many': { status: 429, location: 'url', name: 'too_many_requests', description: 'Too Many Requests' },
  'service.failed': {
    status: 500,
    location: 'url',
    name: 'internal_server_error',
    description: 'Internal Server Error',
  },
  'service.bad-gateway': { status: 502, location: 'url', name: 'bad_gateway', description: 'Bad Gateway' },
  'service.unavailable': {
    status: 503,
    location: 'url',
    name: 'service_unavailable',
    description: 'Service Unavailable',
  },
  'service.timeout': { status: 504, location: 'url', name: 'gateway_timeout', description: 'Gateway Timeout' },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problems;

function fillTemplate(template: string, args: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => args[name] ?? whole);
}

/** Rulings R1: every 401 carries it. */
const CHALLENGE = { 'www-authenticate': 'Basic realm="tenders", charset="UTF-8"' } as const;

/** Makes the problem of a row. `args` replace `{member}` in name and description. */
export function problem(
  code: ProblemCode,
  args: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): Problem {
  const row = problems[code];
  const { location, allowedStatuses }: ProblemRow = row;
  const [name, description] = [fillTemplate(row.name, args), fillTemplate(row.description, args)];
  const errors: readonly ErrorEntry[] = [
    { location, name, description, ...(allowedStatuses === undefined ? {} : { allowedStatuses }) },
  ];
  const allHeaders = row.status === 401 ? { ...CHALLENGE, ...headers } : headers;
  const { status } = row;
  return allHeaders === undefined ? { code, status, errors } : { code, status, errors, headers: allHeaders };
}

/** The same refusal, which says when or with what the request would be allowed. */
export function allowing(refusal: Problem, allowance: Allowance): Problem {
  return { ...refusal, errors: refusal.errors.map((error) => ({ ...error, ...allowance })) };
}

/** 503 of a service that cannot decide now. `Retry-After` in whole seconds. */
export function unavailable(retryAfterSeconds: number): Problem {
  return problem('service.unavailable', {}, { 'retry-after': `${retryAfterSeconds}` });
}

/** 422 with one entry per failing top-level member (http.md 4.4). */
export function invalid(errors: readonly ErrorEntry[]): Problem {
  return { code: 'body.invalid', status: 422, errors };
}

/** The JSON body of the answer on older segments, and where there is no segment. */
export function problemBody({ errors }: Problem): { status: 'error'; errors: readonly ErrorEntry[] } {
  return {
    status: 'error',
    errors: errors.map(({ location, name, description }) => ({ location, name, description })),
  };
}
