import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { ExportEntry, ExportKind, ExportManifest } from '@procurement/contracts/resources/export';
import { secondsText } from '@procurement/domain/feed-offset';
import { isOcdsKind } from './export-schedule.ts';
import { ocdsCursor } from '../../ocds/domain/ocds-parameters.ts';

/** A finished export. */
export interface FinishedExport {
  readonly name: string;
  readonly kind: ExportKind;
  readonly mode: 'real' | '_all_';
  readonly from: bigint | undefined;
  readonly to: bigint;
  /** The `seq` of the last release in an export of releases or records; 0 when it has none. */
  readonly seqTo: bigint | undefined;
  readonly epoch: number;
  readonly finishedAt: Instant;
  readonly lines: number;
  readonly bytes: number;
  readonly rawBytes: number;
}

export interface FinishedFile {
  readonly n: number;
  readonly key: string;
  readonly lines: number;
  readonly bytes: number;
  readonly rawBytes: number;
  readonly sha256: string;
  readonly first: bigint;
  readonly last: bigint;
  /** The same lines in another file, where the runtime could make it. */
  readonly zstd: ZstdFile | undefined;
}

export interface ZstdFile {
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

export interface ManifestParts {
  readonly run: FinishedExport;
  readonly files: readonly FinishedFile[];
  /** Name of the export of the same kind before. */
  readonly previous: string | undefined;
  /** Restores of the source after the export that took back a part of it, oldest first. */
  readonly voids: readonly { readonly restoredTo: bigint; readonly began: bigint }[];
  /** Redactions (register.md 11.5) for which a file of it was written again. */
  readonly redactions: number;
}

export interface ManifestSettings {
  readonly baseUrl: string;
  /** Address of the storage where it is public itself. */
  readonly filesUrl: string | undefined;
  readonly license: string;
  /** Members of packages of OCDS; undefined where no releases are made any more. */
  readonly ocdsPackage: ExportManifest['package'];
}

export function exportFileName(name: string, n: number): string {
  return `${name}-${String(n).padStart(4, '0')}.jsonl.gz`;
}

/** A file that was written again has another name, so that no cache gives the bytes before. */
export function redactedFileName(name: string, n: number, redaction: string): string {
  return exportFileName(name, n).replace('.jsonl', `-r${redaction}.jsonl`);
}

/** The name of a stored file, which is the end of its key. */
export function fileNameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Name or key of the file with the same lines in Zstandard. */
export function zstdNameOf(name: string): string {
  return name.replace(/\.gz$/, '.zst');
}

export function exportEntry(run: FinishedExport, baseUrl: string): ExportEntry {
  const { name, kind, lines, bytes, rawBytes } = run;
  return {
    name,
    kind,
    position: formatPosition(run),
    created: formatLocalDate(run.finishedAt),
    lines,
    bytes,
    rawBytes,
    uri: formatUri(name, baseUrl),
  };
}

export function exportManifest(
  { run, files, previous, voids, redactions }: ManifestParts,
  settings: ManifestSettings,
): ExportManifest {
  const { name, kind, mode, lines, bytes, rawBytes } = run;
  const { baseUrl } = settings;
  const offset = secondsText(run.to);
  const withTests = mode === 'real' ? '' : 'mode=_all_';
  // Releases are permanent: those of lost publications stay, and are corrected by later ones (register.md 9).
  const lost = isOcdsKind(kind) ? [] : voids;
  const [firstVoid, lastVoid] = [lost[0], lost.at(-1)];
  return {
    kind,
    name,
    version: 1 + lost.length + redactions,
    format: 'application/x-ndjson',
    mode,
    created: formatLocalDate(run.finishedAt),
    position: formatPosition(run),
    lines,
    bytes,
    rawBytes,
    files: files.map((file) => fileEntry(name, file, settings)),
    stream: `${baseUrl}/api/2.5/stream?offset=${offset}${withTests === '' ? '' : `&${withTests}`}`,
    ...describeLines(run, settings, `${withTests === '' ? '' : `${withTests}&`}offset=${offset}`),
    ...(previous === undefined ? {} : { previous: formatUri(previous, baseUrl) }),
    ...(redactions === 0 ? {} : { redacted: true as const }),
    ...(firstVoid === undefined || lastVoid === undefined
      ? {}
      : { voided: { after: secondsText(firstVoid.restoredTo), before: secondsText(lastVoid.began) } }),
  };
}

/** What lines are, and where their later ones are. */
function describeLines(
  { kind, seqTo }: FinishedExport,
  { baseUrl, license, ocdsPackage }: ManifestSettings,
  feedQuery: string,
): Pick<ExportManifest, 'segment' | 'license' | 'feed' | 'package'> {
  if (!isOcdsKind(kind)) return { segment: '2.5', license, feed: `${baseUrl}/api/2.5/tenders?${feedQuery}` };
  const feed = `${baseUrl}/api/ocds/${kind}.json?cursor=${ocdsCursor(kind, seqTo ?? 0n)}`;
  return { license: ocdsPackage?.license ?? license, feed, ...(ocdsPackage && { package: ocdsPackage }) };
}

function fileEntry(
  run: string,
  file: FinishedFile,
  { baseUrl, filesUrl }: ManifestSettings,
): ExportManifest['files'][number] {
  const { key, lines, bytes, rawBytes, sha256, first, last, zstd } = file;
  const name = fileNameIn(key);
  const url = filesUrl === undefined ? `${formatUri(run, baseUrl)}/${name}` : `${filesUrl}/${key}`;
  const beside = zstd && { zstd: { name: zstdNameOf(name), url: zstdNameOf(url), ...zstd } };
  return {
    name,
    url,
    encoding: 'gzip',
    lines,
    bytes,
    rawBytes,
    sha256,
    first: secondsText(first),
    last: secondsText(last),
    ...beside,
  };
}

function formatPosition({ from, to, epoch }: FinishedExport): ExportEntry['position'] {
  return { from: from === undefined ? null : secondsText(from), to: secondsText(to), epoch };
}

function formatUri(name: string, baseUrl: string): string {
  return `${baseUrl}/api/2.5/exports/${name}`;
}
