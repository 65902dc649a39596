import { createHash } from 'node:crypto';
import type { Language } from '@procurement/page-style/time-left';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ApiAwayError, type Answer } from './api/read-api.ts';
import type { Deps } from './deps.ts';
import { PageRefusal, type PageError } from './page-refusal.ts';
import { ErrorView, errorHead } from './pages/error/view.tsx';
import { Document, type PageHead } from './parts/document.tsx';
import { pathIn, withPage, withoutLanguage, type PageInfo } from './parts/page-context.ts';
import type { Origins } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined: the request names no usable host. Set before any handler runs. */
    origins: Origins | undefined;
  }
}

/** A page as its route makes it: what it says about itself, and its content, which is rendered only when it is sent. */
export interface Page {
  readonly head: PageHead;
  readonly view: () => VNode;
  readonly status?: number;
  readonly cacheControl?: string;
  /** `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /** Milliseconds of the clock by which times are shown, where it is not that of the server: a tender in a sandbox has its own. */
  readonly nowMs?: number;
  /** Whether something counts down from the time of the page. Such a page is never 304: an old one would count wrongly. */
  readonly countsDown?: boolean;
  /** Replaces `no-referrer`, under which browsers do not say where a form comes from. */
  readonly referrerPolicy?: 'same-origin';
}

/** A text that is no page for readers: a feed. */
export interface PlainText {
  readonly text: string;
  readonly contentType: string;
}

/** Another address of what was asked for. */
export interface Elsewhere {
  /** Path and query of this site, without the language. */
  readonly path: string;
  readonly status: 301 | 303;
}

/** One request of a page. */
export interface PageRequest {
  readonly lang: Language;
  readonly origins: Origins;
  /** Path and query without the language. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Parameters of the query; repeated ones are joined by commas, empty ones are left out. */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a form that was sent. */
  readonly form: Readonly<Record<string, string>>;
  /** Whether the browser says that a page of this site asks. */
  readonly isFromOwnPage: boolean;
  /** Address of the visitor, and the id of the request. */
  readonly visitor: { readonly address: string; readonly requestId: string };
  readonly nowMs: number;
  /** Reads a path of the API. The answer is a part of the page's entity tag. Throws when the API is away. */
  readonly read: (path: string) => Promise<Answer>;
  /** The same for a part that may be missing: undefined when the API is away, or late after the first answer. */
  readonly readBeside: (part: string, path: string) => Promise<Answer | undefined>;
}

export type PageRoute = (request: PageRequest, deps: Deps) => Promise<Page | Elsewhere | PlainText>;

const PAGE_MS_MAX = 3000;
/** How long a page waits for what stands beside its first answer. */
const LATE_MS = 400;
export const FRESH_PAGE = 'public, max-age=0, s-maxage=2';
export const NO_STORE = 'no-store';

/** Serves a page in both languages: English at `/en` and below. */
export function servePage(
  app: FastifyInstance,
  deps: Deps,
  path: string,
  route: PageRoute,
  method: 'GET' | 'POST' = 'GET',
): void {
  for (const lang of ['uk', 'en'] as const) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      answerPage(request, reply, deps, lang, route);
    app.route({ method, url: pathIn(lang, path), handler });
  }
}

/** Answers with what a route makes, or with the page of its error. Throws nothing: an error could say more than visitors may know. */
export async function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  lang: Language,
  route: PageRoute,
): Promise<FastifyReply> {
  const { origins } = request;
  if (origins === undefined) return sendPlain(reply, 400, '400\n');
  try {
    const pageRequest = makeRequest(request, lang, origins, deps);
    try {
      const page = await route(pageRequest.request, deps);
      if ('view' in page) return sendPage(request, reply, { page, ...pageRequest }, deps);
      if ('text' in page) return sendText(request, reply, { page, ...pageRequest }, deps);
      return reply.code(page.status).header('location', pathIn(lang, page.path)).send();
    } catch (error) {
      return sendPage(request, reply, { page: errorPage(error, request, deps, lang), ...pageRequest }, deps);
    }
  } catch (error) {
    return sendFailure(error, request, reply, deps);
  }
}

/** Answers a failure for which no page could be made: with the number of the request, and nothing else (portal.md 5.7). */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, { log }: Deps): FastifyReply {
  log.error({ err: error, requestId: request.id }, 'page failed, and so did the page of the error');
  return sendPlain(reply.removeHeader('etag').removeHeader('link'), 500, `500\n${request.id}\n`);
}

export const sendPlain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': NO_STORE }).send(text);

/** Judges by `Sec-Fetch-Site`, which only browsers set, and by `Origin` where a browser does not send it (portal.md 6). */
function isFromOwnPage({ headers }: FastifyRequest, { own }: Origins): boolean {
  return (headers['sec-fetch-site'] ?? (headers.origin === own ? 'same-origin' : 'none')) === 'same-origin';
}

function errorPage(error: unknown, request: FastifyRequest, deps: Deps, lang: Language): Page {
  const refusal = toPageError(error, request.id);
  if (refusal.kind === 'failed') deps.log.error({ err: error, requestId: request.id }, 'page failed');
  if (refusal.kind === 'away') deps.log.warn({ err: error, requestId: request.id }, 'the API is away');
  return { ...errorHead(refusal, lang), view: () => <ErrorView error={refusal} />, cacheControl: NO_STORE };
}

function toPageError(error: unknown, requestId: string): PageError {
  if (error instanceof PageRefusal) return error.page;
  return error instanceof ApiAwayError ? { kind: 'away' } : { kind: 'failed', requestId };
}

interface MadeRequest {
  readonly request: PageRequest;
  readonly answers: Answer[];
}

function makeRequest(request: FastifyRequest, lang: Language, origins: Origins, deps: Deps): MadeRequest {
  const answers: Answer[] = [];
  const url = new URL(request.url, 'http://portal');
  const path = withoutLanguage(url.pathname);
  const visitor = { address: request.ip, requestId: request.id, deadlineMs: deps.monotonicMs() + PAGE_MS_MAX };
  let firstAnswer: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    firstAnswer = resolve;
  });
  const read = async (apiPath: string): Promise<Answer> => {
    const answer = await deps.readApi(apiPath, visitor);
    answers.push(answer);
    firstAnswer();
    return answer;
  };
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams)
    if (value.trim() !== '') query[name] = query[name] === undefined ? value : `${query[name]},${value}`;
  return {
    answers,
    request: {
      lang,
      origins,
      path: path + url.search,
      // Safe cast: the parameters of a route are texts.
      params: request.params as Readonly<Record<string, string>>,
      query,
      // Safe cast: the only parser of bodies makes texts by name.
      form: (request.body ?? {}) as Readonly<Record<string, string>>,
      isFromOwnPage: isFromOwnPage(request, origins),
      visitor: { address: request.ip, requestId: request.id },
      nowMs: Math.floor(deps.clock.now() / 1000),
      read,
      async readBeside(part, apiPath) {
        const answer = await Promise.race([
          read(apiPath).catch(() => undefined),
          first.then(async () => deps.pause(LATE_MS)),
        ]);
        if (answer === undefined || answer.status !== 200) deps.metrics.leftOut(part);
        return answer?.status === 200 ? answer : undefined;
      },
    },
  };
}

/** When the oldest kept answer of a page was read, where the API is away. */
function oldestKeptAt(answers: readonly Answer[]): string | undefined {
  const kept = answers.flatMap(({ keptSinceMs }) => keptSinceMs ?? []);
  return kept.length === 0 ? undefined : new Date(Math.min(...kept)).toISOString();
}

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { page: { text, contentType }, request: pageRequest, answers }: MadeRequest & { readonly page: PlainText },
  deps: Deps,
): FastifyReply {
  reply.headers({ 'content-type': contentType, 'cache-control': FRESH_PAGE });
  return isUnchanged(request, reply, pageRequest, answers, deps) ? reply.code(304).send() : reply.send(text);
}

/** Gives the answer its entity tag, of all that it depends on. Whether the client has just that one. */
function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  { lang, origins, path }: PageRequest,
  answers: readonly Answer[],
  { release, sandbox }: Deps,
): boolean {
  const tags = answers.map(({ tag }) => tag);
  const parts = [release, origins.own, origins.api, lang, path, sandbox.seen(answers), oldestKeptAt(answers), tags];
  const etag = `W/"${createHash('sha1').update(JSON.stringify(parts)).digest('base64url')}"`;
  reply.header('etag', etag);
  return request.headers['if-none-match'] === etag;
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, request: pageRequest, answers }: MadeRequest & { readonly page: Page },
  deps: Deps,
): FastifyReply {
  const { head, view, status = 200, cacheControl = FRESH_PAGE, nowMs = pageRequest.nowMs, countsDown = false } = page;
  const { lang, origins, path } = pageRequest;
  const isSandbox = deps.sandbox.seen(answers);
  reply.code(status).headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl });
  if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
  if (page.referrerPolicy !== undefined) reply.header('referrer-policy', page.referrerPolicy);
  const links = (head.formats ?? []).map(({ href, type }) => `<${href}>; rel="alternate"; type="${type}"`);
  if (links.length > 0) reply.header('link', links.join(', '));
  const asOf = oldestKeptAt(answers);
  if (cacheControl !== NO_STORE && !countsDown && isUnchanged(request, reply, pageRequest, answers, deps))
    return reply.code(304).send();
  const info: PageInfo = { lang, path, nowMs, site: deps.siteOf(origins, isSandbox), onUnread: deps.metrics.unread };
  const html = withPage(info, () =>
    renderToString(
      <Document {...head} asOf={asOf}>
        {view()}
      </Document>,
    ),
  );
  return reply.send(`<!doctype html>\n${html}`);
}
