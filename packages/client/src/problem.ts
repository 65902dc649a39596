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
  /** Path of the explanation of the code, on the host of the API. */
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
  /** Without its query. */
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
    const reasons = answer.errors.map(reasonOf).join('; ');
    super(`${request.method} ${request.path} answered ${answer.status}${reasons === '' ? '' : `: ${reasons}`}`);
    this.status = answer.status;
    this.kind = KINDS[answer.status] ?? 'other';
    this.errors = answer.errors;
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
export function errorsOf(body: unknown): readonly ApiError[] {
  const isObject = typeof body === 'object' && body !== null;
  // Texts for people; a member that is missing prints as undefined.
  return isObject && 'errors' in body && Array.isArray(body.errors) ? (body.errors as ApiError[]) : [];
}

function reasonOf({ location, name, description }: ApiError): string {
  return `${location}.${name}: ${typeof description === 'string' ? description : JSON.stringify(description)}`;
}

/** `fetch failed` has its reason in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
