import { z } from 'zod';
import { ExportEntry, ExportManifest, ExportsQuery } from '../resources/export.ts';
import { CursorLink } from '../resources/revision.ts';
import type { RouteContract } from './route.ts';

const shared = { method: 'GET', owner: 'register', rateClass: 'export', segments: ['2.5'] } as const;

const SIZE = { lines: 2, bytes: 4310, rawBytes: 16271 };
const POSITION = { from: null, to: '1774731600.000000', epoch: 1 };
const ENTRY = {
  name: 'tenders-2026-03-29',
  kind: 'tenders',
  position: POSITION,
  created: '2026-03-29T01:14:07+02:00',
  ...SIZE,
  uri: 'https://api.example.org/api/2.5/exports/tenders-2026-03-29',
};

/** Everything in files (register.md 8). */
export const exportsApi = {
  listExports: {
    ...shared,
    name: 'listExports',
    path: '/exports',
    spore: 'get_exports',
    summary: 'Bulk files',
    description:
      'Exports of everything that is public, newest first: all tenders (weekly), every revision of a day, the last state of each tender that changed in a day, and in the Open Contracting Data Standard the releases of a day and all records (weekly).',
    query: ExportsQuery,
    responses: { 200: z.array(ExportEntry) },
    example: { data: [ENTRY] },
    beside: { next_page: CursorLink.optional() },
  },
  getExport: {
    ...shared,
    name: 'getExport',
    path: '/exports/:export_id',
    spore: 'get_export',
    summary: 'The manifest of an export',
    description:
      'Its files with checksums, and the position up to which they are complete: the feed and the stream go on from there. `latest-tenders` is the newest of its kind, and so are `latest-revisions`, `latest-changes`, `latest-releases` and `latest-records`.',
    responses: { 200: ExportManifest },
    example: {
      data: {
        kind: 'tenders',
        name: ENTRY.name,
        version: 1,
        format: 'application/x-ndjson',
        segment: '2.5',
        mode: 'real',
        created: ENTRY.created,
        license: 'https://creativecommons.org/publicdomain/zero/1.0/',
        position: POSITION,
        ...SIZE,
        files: [
          {
            name: 'tenders-2026-03-29-0001.jsonl.gz',
            url: `${ENTRY.uri}/tenders-2026-03-29-0001.jsonl.gz`,
            encoding: 'gzip',
            ...SIZE,
            sha256: '50d858e0985ecc7f60418aaf0cc5ab587f42c2570a884095a9e8ccacd0f6545c',
            first: '1772439300.482000',
            last: '1773842740.900000',
          },
        ],
        stream: 'https://api.example.org/api/2.5/stream?offset=1774731600.000000',
        feed: 'https://api.example.org/api/2.5/tenders?offset=1774731600.000000',
        previous: 'https://api.example.org/api/2.5/exports/tenders-2026-03-22',
      },
    },
  },
  getExportFile: {
    ...shared,
    name: 'getExportFile',
    path: '/exports/:export_id/:file_id',
    spore: 'get_export file',
    summary: 'A file of an export',
    description:
      'JSON Lines, compressed with gzip, or with Zstandard (`application/zstd`) under the name in `zstd`. Ranges are answered, so a download can be resumed. The ETag begins with the checksum of the manifest.',
    file: 'application/gzip',
    responses: { 200: z.string() },
    // One line of the unpacked file.
    example: '{"id":"5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30","removed":true}',
  },
} as const satisfies Record<string, RouteContract>;
