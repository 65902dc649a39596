/** One entry of `errors` in an answer (http.md 4.1). */
export interface ApiError {
  readonly location: string;
  readonly name: string;
  /** A text, a list of texts, or an object of the same by member. */
  readonly description: unknown;
  /** Never changes its meaning. Absent in answers of older installations. */
  readonly code?: string;
  /** JSON Pointer to the member of the body that is at fault. */
  readonly pointer?: string;
  /** Statuses of the object in which the request would be accepted. */
  readonly allowedStatuses?: readonly string[];
  /** Path of the explanation of the code, on the host of the API. */
  readonly link?: string;
}

/** One fault of a refused request. */
export interface Fault {
  /** The member at fault, as a JSON Pointer, `*` for an element whose position is not known; or the place and name of the error. */
  readonly path: string;
  readonly text: string;
  readonly code?: string;
  readonly link?: string;
}

/** What a status means for the caller. */
export type ProblemKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'archived'
  | 'stale'
  | 'too-large'
  | 'wrong-type'
  | 'invalid'
  | 'too-many'
  | 'unavailable'
  | 'other';

const KINDS: Readonly<Record<number, ProblemKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'archived',
  412: 'stale',
  413: 'too-large',
  415: 'wrong-type',
  422: 'invalid',
  429: 'too-many',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

export interface RequestSummary {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** How often the request was sent. */
  readonly attempts: number;
  /** An earlier attempt got no answer, or a 5xx: it may have had its effect. */
  readonly isAfterLostAnswer: boolean;
}

/** The API refused the request. Holds no key and no token. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly kind: ProblemKind;
  readonly errors: readonly ApiError[];
  /** The errors one by one: the description of an error may have several. */
  readonly faults: readonly Fault[];
  /** `X-Request-ID`, for support. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: RequestSummary;

  constructor(
    request: RequestSummary,
    answer: {
      readonly status: number;
      readonly errors: readonly ApiError[];
      readonly requestId?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    const faults = answer.errors.flatMap(faultsOf);
    const reasons = faults.map(({ path, text }) => `${path}: ${text}`).join('; ');
    super(`${request.method} ${request.path} answered ${answer.status}${reasons === '' ? '' : `: ${reasons}`}`);
    this.status = answer.status;
    this.kind = KINDS[answer.status] ?? 'other';
    this.errors = answer.errors;
    this.faults = faults;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
    this.request = request;
  }
}

/** The API did not answer, or what arrived was no answer of it. The request may have had its effect. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly request: RequestSummary;

  constructor(request: RequestSummary, cause: unknown) {
    super(`${request.method} ${request.path}: no answer (${messageOf(cause)})`, { cause });
    this.request = request;
  }
}

/** Whether the error is a refusal of the API, of that kind if one is given. */
export function isProblem(error: unknown, kind?: ProblemKind): error is ProblemError {
  return error instanceof ProblemError && (kind === undefined || error.kind === kind);
}

/** The errors of a body; empty when it is not a problem of the API, for example the page of a proxy. */
export function readErrors(body: unknown): readonly ApiError[] {
  const isObject = typeof body === 'object' && body !== null;
  // Texts for people; a member that is missing prints as undefined.
  return isObject && 'errors' in body && Array.isArray(body.errors) ? (body.errors as ApiError[]) : [];
}

function faultsOf({ location, name, description, code, pointer, link }: ApiError): readonly Fault[] {
  const more = { ...(code === undefined ? {} : { code }), ...(link === undefined ? {} : { link }) };
  const [only, ...others] = flattenDescription(description, '');
  if (only === undefined) return [];
  if (pointer === undefined) {
    return [only, ...others].map(({ path, text }) => ({ path: `${location}.${name}${path}`, text, ...more }));
  }
  if (others.length === 0) return [{ path: pointer, text: only.text, ...more }];
  // The pointer of an error with several faults names what they have in common: the member, or the one element at fault.
  const element = /^\/data\/[^/]+\/\d+/.exec(pointer)?.[0];
  const member = /^\/data\/[^/]+/.exec(pointer)?.[0] ?? pointer;
  return [only, ...others].map(({ path, text }) => ({
    path: element === undefined ? `${member}${path}` : `${element}${path.replace(/^\/\*/, '')}`,
    text,
    ...more,
  }));
}

interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** The texts of a description, with their paths below it. Lists of descriptions do not have positions (http.md 4.4). */
function flattenDescription(description: unknown, path: string): readonly PlacedText[] {
  if (Array.isArray(description)) {
    return description.flatMap((one: unknown) => flattenDescription(one, typeof one === 'string' ? path : `${path}/*`));
  }
  if (typeof description === 'object' && description !== null) {
    return Object.entries(description).flatMap(([name, inner]) => flattenDescription(inner, `${path}/${name}`));
  }
  return [{ path, text: String(description) }];
}

/** `fetch failed` has its reason in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
