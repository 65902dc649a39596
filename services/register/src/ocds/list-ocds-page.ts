import type { OcdsSettings } from '@procurement/ocds/settings';
import type { Handler } from '@procurement/kit/http/mount';
import type { OcdsDeps } from './deps.ts';
import { ocdsCursor, type OcdsKind, type OcdsQuery } from './domain/ocds-parameters.ts';
import { countWithin } from './byte-chunks.ts';
import type { OcdsHead } from './ocds.store.ts';
import { releaseTexts } from './ocds-texts.ts';
import { ifPublished, joined, joinedPieces, ocdsQuery, ocdsUri, recordTexts, sendPackage } from './ocds-answer.ts';

/** Texts of one page; it has at least one entry, and ends early otherwise. */
const PAGE_BYTES_MAX = 8_000_000;
/** A page after which others came: releases only grow. */
const CLOSED = 'public, max-age=3600';

/** `GET /ocds/releases.json` and `/ocds/records.json`: pages in the order of `seq` (ocds.md 4.1). */
export function listOcdsPage(deps: OcdsDeps, kind: OcdsKind): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const query = ocdsQuery(request, kind);
    const { heads, links } = await readPage(deps, kind, query, settings);
    const isClosed = kind === 'releases' && 'next' in links;
    const { ocds, config } = deps;
    const answer = {
      uri: ocdsUri(`/${kind}.json`, query.given, settings),
      heads,
      links,
      member: kind,
      cacheControl: isClosed ? CLOSED : `public, max-age=${config.OCDS_HEAD_MAX_AGE}`,
      pieces: () =>
        kind === 'releases'
          ? joined(releaseTexts(ocds, heads))
          : joinedPieces(recordTexts(ocds, heads, query.embed, settings)),
      ...(isClosed ? {} : { grows: true as const }),
    };
    if (heads.length > 0) return sendPackage(request, reply, answer, settings);
    const emptyDate = (await ocds.newestDate()) ?? new Date(deps.clock.now() / 1_000).toISOString();
    return sendPackage(request, reply, { ...answer, links: {}, emptyDate }, settings);
  });
}

interface Page {
  readonly heads: readonly OcdsHead[];
  readonly links: Readonly<Record<string, string>>;
}

async function readPage(
  { ocds, config }: OcdsDeps,
  kind: OcdsKind,
  query: OcdsQuery,
  settings: OcdsSettings,
): Promise<Page> {
  const { limit = config.OCDS_PAGE_SIZE, after, before, since, until } = query;
  const dates = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
  const bounds = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
  // One more than a page: whether there is another one in the direction of the walk.
  const found = await ocds.page(kind, { ...dates, ...bounds, limit: limit + 1 });
  const heads = before === undefined ? firstPage(found, limit) : firstPage(found.toReversed(), limit).toReversed();
  const [first, last] = [heads[0], heads.at(-1)];
  if (first === undefined || last === undefined) return { heads, links: {} };
  const isCut = heads.length < found.length;
  const hasNext = before === undefined ? isCut : await ocds.hasEntry(kind, { ...dates, after: last.seq });
  const hasPrevious = before === undefined ? await ocds.hasEntry(kind, { ...dates, before: first.seq }) : isCut;
  const linkTo = (name: 'cursor' | 'before', { seq }: OcdsHead): string => {
    const kept = query.given.filter(([given]) => given !== 'cursor' && given !== 'before');
    const place = kept.findIndex(([given]) => given !== 'limit');
    const cursor = [name, ocdsCursor(kind, seq)] as const;
    return ocdsUri(`/${kind}.json`, kept.toSpliced(place < 0 ? kept.length : place, 0, cursor), settings);
  };
  return {
    heads,
    links: {
      ...(hasNext ? { next: linkTo('cursor', last) } : {}),
      ...(hasPrevious ? { prev: linkTo('before', first) } : {}),
    },
  };
}

function firstPage(heads: readonly OcdsHead[], limit: number): readonly OcdsHead[] {
  const page = heads.slice(0, limit);
  return page.slice(0, countWithin(page, PAGE_BYTES_MAX));
}
