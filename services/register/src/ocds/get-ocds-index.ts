import { createHash } from 'node:crypto';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import { packageMetadata } from '@procurement/ocds/packages';
import type { OcdsDeps } from './deps.ts';
import { ifPublished, isUnchanged, ocdsUri } from './ocds-answer.ts';

/** `GET /ocds`: what is published, and where (ocds.md 4). */
export function getOcdsIndex(deps: OcdsDeps): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const { ocidPrefix, language } = settings;
    const formatAddress = (name: string): string => ocdsUri(`/${name}`, [], settings);
    const links = {
      releases: formatAddress('releases.json'),
      records: formatAddress('records.json'),
      releasesBulk: formatAddress('releases.jsonl'),
      recordsBulk: formatAddress('records.jsonl'),
    };
    const text = JSON.stringify({ ...packageMetadata(settings), ocidPrefix, language, links });
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    void reply.headers({ etag, 'cache-control': `public, max-age=${deps.config.OCDS_HEAD_MAX_AGE}` });
    return isUnchanged(request, etag, '', true) ? reply.code(304).send() : sendJson(reply, 200, text);
  });
}
