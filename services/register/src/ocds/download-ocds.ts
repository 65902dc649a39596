import { finished, Readable } from 'node:stream';
import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { OcdsSettings } from '@procurement/ocds/settings';
import type { FastifyReply } from 'fastify';
import type { OcdsDeps } from './deps.ts';
import type { OcdsKind, OcdsQuery } from './domain/ocds-parameters.ts';
import type { OcdsHead } from './ocds.store.ts';
import { releaseTexts } from './ocds-texts.ts';
import { ifPublished, isUnchanged, ocdsQuery, ocdsUri, recordTexts } from './ocds-answer.ts';

/** Rows of one statement; no transaction is open between two of them. */
const BATCH_ROWS = 500;

/** `GET /ocds/releases.jsonl` and `/ocds/records.jsonl`: everything up to now, one entry on each line (ocds.md 4.3). */
export function downloadOcds(deps: OcdsDeps, kind: OcdsKind): Handler {
  let running = 0;
  return ifPublished(deps, async (request, reply, settings) => {
    if (running >= deps.config.OCDS_BULK_MAX_CONCURRENT)
      throw new ProblemError(problem('request.too-many', {}, { 'retry-after': '30' }));
    running += 1;
    // Also when the client goes away, or a statement fails: the connection is then destroyed without a last chunk.
    finished(reply.raw, () => {
      running -= 1;
    });
    const query = ocdsQuery(request, kind);
    const upTo = await deps.ocds.newestSeq(kind);
    const etag = `W/"${kind}-${upTo}-${Buffer.from(ocdsUri('', query.given, settings)).toString('base64url')}"`;
    setHeaders(reply, kind, etag, settings);
    if (isUnchanged(request, etag, '', true)) return reply.code(304).send();
    if (request.method === 'HEAD') return reply.send('');
    return reply.send(Readable.from(readLines(deps, kind, { query, upTo }, settings)));
  });
}

function setHeaders(reply: FastifyReply, kind: OcdsKind, etag: string, settings: OcdsSettings): void {
  void reply.headers({
    etag,
    'content-type': 'application/x-ndjson; charset=UTF-8',
    'content-disposition': `attachment; filename="${kind}.jsonl"`,
    'cache-control': 'no-cache',
    link: `<${settings.license}>; rel="license", <${ocdsUri('', [], settings)}>; rel="describedby"`,
  });
}

interface Download {
  readonly query: OcdsQuery;
  readonly upTo: bigint;
}

async function* readLines(
  { ocds }: OcdsDeps,
  kind: OcdsKind,
  { query, upTo }: Download,
  settings: OcdsSettings,
): AsyncGenerator<string> {
  const { since, until, embed } = query;
  const dates = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
  let after = 0n;
  for (;;) {
    const heads: readonly OcdsHead[] = await ocds.page(kind, { ...dates, after, limit: BATCH_ROWS });
    // A record that changes meanwhile has moved behind `upTo`: records are read to the end, and it may come twice.
    const within = kind === 'records' ? heads : heads.filter(({ seq }) => seq <= upTo);
    if (kind === 'releases') for await (const text of releaseTexts(ocds, within)) yield `${text}\n`;
    else {
      for await (const pieces of recordTexts(ocds, within, embed, settings)) {
        yield* pieces;
        yield '\n';
      }
    }
    const last = heads.at(-1);
    if (last === undefined || within.length < BATCH_ROWS) return;
    after = last.seq;
  }
}
