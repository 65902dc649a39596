import { problem } from '@procurement/contracts/problems/problems';
import { EXPORT_KINDS, type ExportKind } from '@procurement/contracts/resources/export';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { ExportsDeps } from './deps.ts';
import { exportEntry } from './domain/export-manifest.ts';
import { anyText, oneOf, wholeNumber } from '../requests/domain/parameters.ts';
import { readQuery } from '../requests/read-query.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
const NAME_CHARACTERS_MAX = 64;

const PARAMETERS = {
  kind: oneOf(EXPORT_KINDS),
  limit: wholeNumber(1, LIMIT_MAX),
  cursor: anyText(NAME_CHARACTERS_MAX),
} as const;

/** `GET /exports`: finished exports, newest first (register.md 8.2). A cursor is the name of the last one shown. */
export function listExports({ exports, config }: ExportsDeps): Handler {
  return async (request, reply) => {
    const { kind, limit = LIMIT_DEFAULT, cursor } = readQuery(request, PARAMETERS);
    const after = cursor === undefined ? undefined : await exports.find(cursor);
    if (cursor !== undefined && after === undefined)
      throw new ProblemError(problem('params.expired', { name: 'cursor' }));
    // One more than a page: whether there is a next one.
    const found = await exports.list({ kind, after, limit: limit + 1 });
    const data = found.slice(0, limit).map((run) => exportEntry(run, config.PUBLIC_BASE_URL));
    const last = data.at(-1);
    const next =
      found.length > limit && last !== undefined ? nextPage(config.PUBLIC_BASE_URL, last.name, { kind, limit }) : {};
    return sendJson(reply, 200, JSON.stringify({ data, ...next }));
  };
}

function nextPage(
  base: string,
  cursor: string,
  { kind, limit }: { readonly kind: ExportKind | undefined; readonly limit: number },
) {
  const path = `/api/2.5/exports?cursor=${cursor}${kind === undefined ? '' : `&kind=${kind}`}&limit=${limit}`;
  return { next_page: { cursor, path, uri: base + path } };
}
