import { linkedRecord, packageOpening, type OcdsRecord } from './packages.ts';
import { isInvalid, readPublicTender, type PublicTender } from './public-tender.ts';
import { nextRelease, type Publication, type Release } from './release.ts';
import type { OcdsSettings } from './settings.ts';

export interface ExportOptions {
  readonly kind: 'releases' | 'records';
  /** `lines`: one object a line. `package`: all of them in one package. */
  readonly form: 'lines' | 'package';
  /** `uri` of the package. */
  readonly uri: string;
  /** `publishedDate` of a package without any release. */
  readonly emptyPublishedDate: string;
  readonly settings: OcdsSettings;
  /** Called for each line that is no tender; the export goes on without it. */
  readonly onInvalid: (lineNumber: number, reason: string) => void;
}

/**
 * The releases or records of tenders in JSON Lines, as text. Views of one tender that follow each other are its successive
 * states: they share a record, and only changes make releases. Memory: the views of one tender, whatever the number of lines.
 */
export async function* exportTenders(lines: AsyncIterable<string>, options: ExportOptions): AsyncGenerator<string> {
  const isPackage = options.form === 'package';
  let publishedDate = '';
  let separator = '';
  if (isPackage) yield `${packageOpening(options.uri, options.settings)},"${options.kind}":[`;
  for await (const publications of publicationsOfTenders(lines, options)) {
    for (const entry of buildEntries(publications, options)) {
      yield isPackage ? `${separator}${JSON.stringify(entry)}` : `${JSON.stringify(entry)}\n`;
      separator = ',';
    }
    // Dates in UTC with three decimals: the order of texts is the order of time.
    const date = publications.at(-1)?.state.date ?? '';
    if (date > publishedDate) publishedDate = date;
  }
  // Last, because it is known last; the order of members has no meaning.
  if (isPackage) yield `],"publishedDate":${JSON.stringify(publishedDate || options.emptyPublishedDate)}}\n`;
}

async function* publicationsOfTenders(
  lines: AsyncIterable<string>,
  { settings, onInvalid }: ExportOptions,
): AsyncGenerator<readonly Publication[]> {
  let tenderID: string | undefined;
  let publications: Publication[] = [];
  for await (const tender of readTenders(lines, onInvalid)) {
    if (tender.tenderID !== tenderID) {
      if (publications.length > 0) yield publications;
      tenderID = tender.tenderID;
      publications = [];
    }
    const next = nextRelease(tender, publications.at(-1)?.state, settings);
    if (next !== undefined) publications.push(next);
  }
  if (publications.length > 0) yield publications;
}

async function* readTenders(
  lines: AsyncIterable<string>,
  onInvalid: ExportOptions['onInvalid'],
): AsyncGenerator<PublicTender> {
  let lineNumber = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (line === '') continue;
    const tender = readPublicTender(line);
    if (isInvalid(tender)) onInvalid(lineNumber, tender.invalid);
    else yield tender;
  }
}

function buildEntries(publications: readonly Publication[], options: ExportOptions): readonly (Release | OcdsRecord)[] {
  const releases = publications.map(({ release }) => release);
  const last = publications.at(-1);
  if (options.kind === 'releases' || last === undefined) return releases;
  const { ocid, compiled } = last.state;
  return [linkedRecord(releases, { ...compiled, ocid }, options.settings)];
}

/**
 * The lines of UTF-8 bytes. Not `node:readline`: it also ends lines at U+2028 and U+2029, which a JSON text may have inside of a
 * string.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest + decoder.decode();
}
