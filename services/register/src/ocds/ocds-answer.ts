import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { problem, unavailable } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { JSON_TYPE } from '@procurement/kit/http/server';
import { linkedRelease, packageMetadata, packageOpening } from '@procurement/ocds/packages';
import type { OcdsSettings } from '@procurement/ocds/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OcdsDeps } from './deps.ts';
import { readOcdsQuery, type OcdsKind, type OcdsQuery } from './domain/ocds-parameters.ts';
import { releaseChunks, releaseTexts } from './ocds-texts.ts';
import type { OcdsHead, OcdsStore } from './ocds.store.ts';

/** Handles a request of an installation that publishes releases. */
export type OcdsHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: OcdsSettings,
) => Promise<FastifyReply>;

/** The whole prefix is 404 where nothing is published (ocds.md 4.4). */
export function ifPublished({ config }: OcdsDeps, handler: OcdsHandler): Handler {
  return async (request, reply) => {
    if (!('settings' in config.ocds)) throw new ProblemError(problem('request.not-found'));
    return handler(request, reply, config.ocds.settings);
  };
}

/** Throws 404 for another method than GET and HEAD where nothing is published. */
export function unpublished({ config }: OcdsDeps) {
  return async () => ('settings' in config.ocds ? undefined : problem('request.not-found'));
}

export function ocdsQuery({ url }: FastifyRequest, kind: OcdsKind): OcdsQuery {
  const start = url.indexOf('?');
  const query = readOcdsQuery(start < 0 ? '' : url.slice(start + 1), kind);
  if ('refused' in query) throw new ProblemError(query.refused);
  return query;
}

/** The address of a request below `/api/ocds`, with the parameters that have an effect. */
export function ocdsUri(path: string, given: OcdsQuery['given'], { publicBaseUrl }: OcdsSettings): string {
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])).toString();
  return `${publicBaseUrl}/api/ocds${path}${query === '' ? '' : `?${query}`}`;
}

/** Part of a path without `.json`, which may be appended. */
export function pathPartOf({ params }: FastifyRequest, name: 'ocid' | 'release_id'): string {
  // Safe cast: the router sets every named parameter of a matched path.
  return (params as Readonly<Record<string, string>>)[name]?.replace(/\.json$/, '') ?? '';
}

/** Throws 404 for an ocid without releases, and 503 for one that may get them at any moment (rulings R37). */
export async function refuseOcid({ ocds }: OcdsDeps, ocid: string, settings: OcdsSettings): Promise<never> {
  const prefix = `${settings.ocidPrefix}-`;
  const isExpected =
    ocid.startsWith(prefix) && (await ocds.isExpected(ocid.slice(prefix.length), settings.includeTest));
  throw new ProblemError(isExpected ? unavailable(1) : problem('ocds.not-found', { name: 'ocid' }));
}

/** A package as it is sent. */
export interface PackageAnswer {
  readonly uri: string;
  /** Heads of the entries in the answer: its tag is made of them. */
  readonly heads: readonly OcdsHead[];
  readonly links?: Readonly<Record<string, string>>;
  /** Date of a package without entries. */
  readonly emptyDate?: string;
  readonly member: OcdsKind;
  /** Its entries, separated by commas, in pieces of any length. */
  readonly pieces: () => AsyncIterable<string>;
  readonly cacheControl: string;
  /** Entries with earlier dates may still come: `If-Modified-Since` would miss them. */
  readonly grows?: true;
}

const EPOCH = '1970-01-01T00:00:00.000Z';

/** Sends a package, or 304 (ocds.md 6). It is written while its texts are read, so that memory does not grow with it. */
export function sendPackage(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PackageAnswer,
  settings: OcdsSettings,
): FastifyReply {
  const { uri, heads, links, member, pieces } = answer;
  // Dates in UTC with three decimals: the order of texts is the order of time.
  const publishedDate =
    heads
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ??
    answer.emptyDate ??
    EPOCH;
  const tag = { uri, links, heads: heads.map(({ id, ocid, date }) => [ocid, id, date]), ...packageMetadata(settings) };
  const etag = `"${createHash('sha256').update(JSON.stringify(tag)).digest('base64url').slice(0, 27)}"`;
  void reply.headers({
    etag,
    'last-modified': new Date(publishedDate).toUTCString(),
    'cache-control': answer.cacheControl,
  });
  if (isUnchanged(request, etag, publishedDate, answer.grows === true)) return reply.code(304).send();
  void reply.header('content-type', JSON_TYPE);
  if (request.method === 'HEAD') return reply.send('');
  const opening = `${packageOpening(uri, settings)},"publishedDate":"${publishedDate}"${linksText(links)},"${member}":[`;
  return reply.send(Readable.from(framed(opening, pieces(), ']}')));
}

function linksText(links: Readonly<Record<string, string>> | undefined): string {
  return links === undefined || Object.keys(links).length === 0 ? '' : `,"links":${JSON.stringify(links)}`;
}

async function* framed(opening: string, pieces: AsyncIterable<string>, end: string): AsyncGenerator<string> {
  yield opening;
  yield* pieces;
  yield end;
}

/** Entries of a list, separated by commas. */
export async function* joined(entries: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let separator = '';
  for await (const entry of entries) {
    yield separator + entry;
    separator = ',';
  }
}

/** Compares the tag; without a tag it compares the second of the newest release. */
export function isUnchanged({ headers }: FastifyRequest, etag: string, date: string, grows: boolean): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags
      .split(',')
      .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !grows && Math.floor(Date.parse(date) / 1_000) * 1_000 <= since;
}

/**
 * Records as pieces of text, with links to the releases, or with `embed` the releases themselves (ocds.md 4.2). A record that has
 * moved on since its head was read is shown as it is now.
 */
export async function* recordTexts(
  store: OcdsStore,
  heads: readonly OcdsHead[],
  embed: boolean,
  settings: OcdsSettings,
): AsyncGenerator<AsyncIterable<string>> {
  for (const chunk of releaseChunks(heads)) {
    const ocids = chunk.map(({ ocid }) => ocid);
    const compiled = await store.compiled(ocids);
    const releases = await store.releasesOf(ocids);
    for (const ocid of ocids) {
      const record = compiled.get(ocid);
      if (record === undefined) continue;
      // Those that came after the compiled release was read are not in it.
      const own = releases.filter((release) => release.ocid === ocid && release.seq <= record.seq);
      const entries = embed
        ? releaseTexts(store, own)
        : own.map((release) => JSON.stringify(linkedRelease(release, settings)));
      yield framed(`{"ocid":"${ocid}","releases":[`, joined(entries), `],"compiledRelease":${record.text}}`);
    }
  }
}

/** Pieces of entries that consist of pieces. */
export async function* joinedPieces(entries: AsyncIterable<AsyncIterable<string>>): AsyncGenerator<string> {
  let separator = '';
  for await (const pieces of entries) {
    yield separator;
    yield* pieces;
    separator = ',';
  }
}
