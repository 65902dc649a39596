import { z } from 'zod';
import { cursor } from './query.ts';

/** Kinds of bulk files (register.md 8.1). */
export const EXPORT_KINDS = ['tenders', 'revisions', 'changes', 'releases', 'records'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Kinds whose lines are of the Open Contracting Data Standard (ocds.md 4.3). */
export const OCDS_EXPORT_KINDS = ['releases', 'records'] as const satisfies readonly ExportKind[];
export type OcdsExportKind = (typeof OCDS_EXPORT_KINDS)[number];

/** Parameters of the list of exports, for OpenAPI and SPORE. */
export const ExportsQuery = z.object({
  kind: z.enum(EXPORT_KINDS).optional().describe('Exports of this kind only'),
  limit: z.int().min(1).max(100).optional().describe('Entries of a page. Default 20'),
  cursor: cursor(64).optional().describe('From `next_page`'),
});

/** Positions are offsets of the feed and ids of the stream. */
const ExportPosition = z
  .object({
    from: z.string().nullable().describe('Exclusive; null: from the beginning'),
    to: z.string().describe('Inclusive. The feed and the stream go on from here'),
    epoch: z.int().describe('Restores of the source until then'),
  })
  .meta({ id: 'ExportPosition' });

const size = { lines: z.int(), bytes: z.int().describe('As served'), rawBytes: z.int().describe('Unpacked') };

export const ExportEntry = z
  .object({
    name: z.string(),
    kind: z.enum(EXPORT_KINDS),
    position: ExportPosition,
    created: z.iso.datetime({ offset: true }),
    ...size,
    uri: z.string(),
  })
  .meta({ id: 'ExportEntry' });
export type ExportEntry = z.infer<typeof ExportEntry>;

export const ExportFile = z
  .object({
    name: z.string(),
    url: z.string(),
    encoding: z.literal('gzip'),
    ...size,
    sha256: z.string().describe('Of the file as served, in hex'),
    first: z.string().describe('Position of the first line'),
    last: z.string().describe('Position of the last line'),
    zstd: z
      .object({
        name: z.string(),
        url: z.string(),
        bytes: z.int().describe('As served'),
        sha256: z.string().describe('Of the file as served, in hex'),
      })
      .optional()
      .describe('The same lines compressed with Zstandard, where the server can'),
  })
  .meta({ id: 'ExportFile' });

/** What an export consists of (register.md 8.2). It changes only by `voided` and `redacted`, and then `version` grows. */
export const ExportManifest = z
  .object({
    kind: z.enum(EXPORT_KINDS),
    name: z.string(),
    version: z.int(),
    format: z.literal('application/x-ndjson'),
    segment: z.literal('2.5').optional().describe('Whose shape the lines have; not of OCDS'),
    mode: z.enum(['real', '_all_']).describe('_all_: with test tenders'),
    created: z.iso.datetime({ offset: true }),
    license: z.string(),
    position: ExportPosition,
    ...size,
    files: z.array(ExportFile),
    stream: z.string().describe('The stream from the end of this export'),
    feed: z.string().describe('The feed from the end of this export; of `releases` and `records` the pages of OCDS'),
    package: z
      .object({
        version: z.string(),
        extensions: z.array(z.string()),
        publisher: z.object({
          name: z.string(),
          scheme: z.string().optional(),
          uid: z.string().optional(),
          uri: z.string().optional(),
        }),
        license: z.string(),
        publicationPolicy: z.string().optional(),
      })
      .optional()
      .describe('Of `releases` and `records`: what a package of these lines declares'),
    previous: z.string().optional().describe('The export of this kind before'),
    voided: z
      .object({ after: z.string(), before: z.string() })
      .optional()
      .describe('Lines with positions between were lost by the source when it was restored'),
    redacted: z
      .literal(true)
      .optional()
      .describe('Members of lines were removed by law: files have other names, sizes and checksums than before'),
  })
  .meta({ id: 'ExportManifest' });
export type ExportManifest = z.infer<typeof ExportManifest>;
