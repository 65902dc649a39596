import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A file of the repository. `text` is absent for files that are not searched but may be the target of a link. */
export interface RepositoryFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text?: string;
}

export interface BrokenCitation {
  readonly file: string;
  readonly line: number;
  /** The citation in the words of the file, up to the part that does not resolve. */
  readonly citation: string;
  readonly hint: string;
}

/** The part of a document from one heading to the next heading of any level. */
interface Section {
  /** `2.4`, `Appendix A`; absent for a heading without a number. */
  readonly number?: string;
  readonly title: string;
  readonly body: string;
}

/** A document that citations can point into. */
interface Document {
  readonly path: string;
  readonly sections: readonly Section[];
  readonly slugs: ReadonlySet<string>;
}

/** Text without line breaks and comment marks, so that a citation may run over the end of a line. */
interface JoinedText {
  readonly text: string;
  lineAt(offset: number): number;
}

const SPEC = 'docs/spec';
const DECISIONS = 'docs/decisions';
const RULINGS = `${SPEC}/rulings.md`;

const FILE = /(?<![\w*/.-])((?:[\w.-]+\/)*[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.md)\b(?![\w(])`?/g;
const RULING_LIST = /(?:\brulings?(?:\.md`?)? |\()(R\d+(?:(?:, | and )R\d+)*)\b/g;
/** A test file by the end of its path, and the titles of its tests that follow. */
const TEST = /`([\w./-]+\.test\.ts)`((?:,? "[^"]+")*)/g;
const LINK = /\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)/g;

// The forms that may follow the name of a file, in the order in which they are tried.
const FIRST_SECTION = /^,? (?:section )?(\d+(?:\.\d+)*)(?!\w)/;
const NEXT_SECTION = /^(?:, | and | to )(\d+(?:\.\d+)+|\d+(?=[),;:.'"`]|$| (?:and|to|rows?|steps?) ))(?!\w)/;
const ITEM = /^,? (?:row|step|item|check) (\d+[a-z]?)(?!\w)/;
const ITEMS = /^,? (?:rows|steps|items|checks) (\d+[a-z]?(?!\.?\d)(?:(?:, | and | to )\d+[a-z]?(?!\.?\d))*)/;
const RULING = /^, (R\d+)\b/;
const QUOTED = /^,? "([^"]+)"/;
const NUMBERED_NAME = /^, ([a-z]+) (\d+)\b/;
const NAMED = /^, ([A-Z][^).;:,"'`]*[^).;:,"'`\s])/;

/**
 * Citations of documents that do not resolve: a file that is not in the repository, a section, row or ruling that its document
 * does not have, a Markdown link without a target, a test of a Markdown file that is not there. A bare name such as `http.md` is looked
 * for in the folder of the citing file, in the folders above it, in `docs/spec` and in `docs/decisions`. `docs/spec/README.md` describes
 * the forms.
 */
export function brokenCitations(files: readonly RepositoryFile[]): readonly BrokenCitation[] {
  const repository = makeRepository(files);
  const broken: BrokenCitation[] = [];
  for (const { path, text } of files) {
    if (text === undefined) continue;
    broken.push(...brokenIn(path, text, repository));
  }
  return broken;
}

interface Repository {
  readonly paths: ReadonlySet<string>;
  readonly documents: ReadonlyMap<string, Document>;
  readonly tests: readonly RepositoryFile[];
}

function makeRepository(files: readonly RepositoryFile[]): Repository {
  const paths = new Set<string>();
  const documents = new Map<string, Document>();
  for (const { path, text } of files) {
    // Folders are targets too.
    for (let at = path; at !== '.'; at = dirname(at)) paths.add(at);
    if (path.endsWith('.md') && text !== undefined) documents.set(path, parseDocument(path, text));
  }
  return { paths, documents, tests: files.filter(({ path }) => path.endsWith('.test.ts')) };
}

function parseDocument(path: string, text: string): Document {
  const sections: { number?: string; title: string; body: string }[] = [{ title: '', body: '' }];
  const slugs = new Set<string>();
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,6} +(.+)$/.exec(line)?.[1];
    if (heading === undefined) {
      const last = sections.at(-1);
      if (last !== undefined) last.body += `${line}\n`;
      continue;
    }
    const number = /^(?:(\d+(?:\.\d+)*)\.?|(Appendix [A-Z])\b\.?)(?: |$)/.exec(heading);
    const title = number === null ? heading : heading.slice(number[0].length);
    sections.push({ ...(number === null ? {} : { number: number[1] ?? number[2] ?? '' }), title, body: '' });
    slugs.add(slugOf(heading));
  }
  return { path, sections, slugs };
}

/** The anchor that GitHub gives to a heading. */
function slugOf(heading: string): string {
  const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '');
  return kept.replaceAll(' ', '-');
}

function brokenIn(path: string, text: string, repository: Repository): readonly BrokenCitation[] {
  const broken: BrokenCitation[] = [];
  const isMarkdown = path.endsWith('.md');
  const searched = isMarkdown ? withoutLinks(text) : text;
  const joined = joinLines(searched);
  const report = (offset: number, citation: string, hint: string): void => {
    broken.push({ file: path, line: joined.lineAt(offset), citation, hint });
  };
  for (const match of joined.text.matchAll(FILE)) {
    const name = match[1] ?? '';
    const found = resolveName(name, path, repository);
    if (found === undefined) {
      report(match.index, name, unknownFile(repository));
      continue;
    }
    const document = repository.documents.get(found);
    if (document === undefined) continue;
    const tail = joined.text.slice(match.index + match[0].length);
    for (const fault of faultsOfTail(tail, document, repository)) report(match.index, name + fault.cited, fault.hint);
  }
  for (const match of joined.text.matchAll(RULING_LIST)) {
    for (const number of (match[1] ?? '').match(/R\d+/g) ?? []) {
      const hint = rulingFault(number, repository);
      if (hint !== undefined) report(match.index, number, hint);
    }
  }
  if (isMarkdown) broken.push(...brokenTests(path, text, repository), ...brokenLinks(path, text, repository));
  return broken;
}

/** Blanks the targets of links, which are checked as links; the length and the lines stay. */
function withoutLinks(text: string): string {
  return text.replaceAll(LINK, (link, target: string) => {
    const at = link.lastIndexOf(target);
    return link.slice(0, at) + ' '.repeat(target.length) + link.slice(at + target.length);
  });
}

/**
 * Joins the lines of a comment or a paragraph. A line that is empty or begins a list item, a table row or a heading is not
 * joined to the one before.
 */
function joinLines(text: string): JoinedText {
  const starts: number[] = [];
  let joinedText = '';
  for (const line of text.split('\n')) {
    const content = line.replace(/^\s*(?:\/\*\*?|\*(?!\*)|\/\/+|--|#(?= [a-z(]))?\s*/, '').trimEnd();
    const isJoined = joinedText !== '' && content !== '' && !/^(?:\d+\. |[-|#])/.test(content);
    joinedText += isJoined ? ' ' : '\n';
    starts.push(joinedText.length);
    joinedText += content;
  }
  return {
    text: joinedText,
    lineAt: (offset) => Math.max(1, starts.findLastIndex((start) => start <= offset) + 1),
  };
}

/** The path that a name means, or undefined. The folders above the citing file come before the documents. */
function resolveName(name: string, citing: string, { paths }: Repository): string | undefined {
  const folders: string[] = [];
  for (let folder = dirname(citing); folder !== '.'; folder = dirname(folder)) folders.push(folder);
  const searched = [...folders, '.', SPEC, DECISIONS];
  return searched.map((folder) => normalize(join(folder, name))).find((path) => paths.has(path));
}

interface Fault {
  /** The text after the name of the document, up to the part that does not resolve. */
  readonly cited: string;
  readonly hint: string;
}

/** Checks the text after the name of a document, as far as it belongs to the citation. */
function faultsOfTail(tail: string, document: Document, repository: Repository): readonly Fault[] {
  const faults: Fault[] = [];
  let at = 0;
  let section: string | undefined;
  const check = (match: RegExpExecArray, hint: string | undefined): void => {
    at += match[0].length;
    if (hint !== undefined) faults.push({ cited: tail.slice(0, at), hint });
  };
  // Terminates: every round advances or returns.
  for (;;) {
    const rest = tail.slice(at);
    const number = (section === undefined ? FIRST_SECTION : NEXT_SECTION).exec(rest);
    if (number !== null) {
      section = number[1] ?? '';
      check(number, hasSection(document, section) ? undefined : noSection(document, section));
      continue;
    }
    const items = section === undefined ? null : (ITEM.exec(rest) ?? ITEMS.exec(rest));
    if (items !== null) {
      check(items, itemsFault(document, section ?? '', items[1] ?? ''));
      continue;
    }
    const ruling = RULING.exec(rest);
    if (ruling !== null) {
      check(ruling, rulingFault(ruling[1] ?? '', repository));
      continue;
    }
    const name = namedFault(rest, document, section !== undefined);
    if (name !== undefined) check(name.match, name.hint);
    return faults;
  }
}

/** `handshake 1`, `"Time"`, `Quality bars`: a part of the document that has a name. Undefined when there is none. */
function namedFault(
  rest: string,
  document: Document,
  isAfterSection: boolean,
): { match: RegExpExecArray; hint: string | undefined } | undefined {
  const numbered = isAfterSection ? null : NUMBERED_NAME.exec(rest);
  if (numbered !== null) {
    const [, word = '', number = ''] = numbered;
    const heading = document.sections.find(({ title }) => title.toLowerCase().startsWith(word));
    const isThere = heading !== undefined && listsItem(heading.body, number);
    return { match: numbered, hint: isThere ? undefined : `${document.path} has no ${word} ${number}` };
  }
  const match = QUOTED.exec(rest) ?? NAMED.exec(rest);
  if (match === null) return undefined;
  const name = match[1] ?? '';
  const hint = hasName(document, name) ? undefined : `${document.path} has no heading or row "${name}"`;
  return { match, hint };
}

function findSection(document: Document, number: string): Section | undefined {
  return document.sections.find((section) => section.number === number);
}

/** A heading of that number, or item 5 of section 2.4 for `2.4.5`. */
function hasSection(document: Document, number: string): boolean {
  if (findSection(document, number) !== undefined) return true;
  const dot = number.lastIndexOf('.');
  return dot > 0 && hasItem(document, number.slice(0, dot), number.slice(dot + 1));
}

function itemsFault(document: Document, number: string, items: string): string | undefined {
  const missing = (items.match(/\d+[a-z]?/g) ?? []).filter((item) => !hasItem(document, number, item));
  return missing.length === 0 ? undefined : `${document.path} ${number} has no row ${missing.join(', ')}`;
}

function hasItem(document: Document, number: string, item: string): boolean {
  const section = findSection(document, number);
  return section !== undefined && listsItem(section.body, item);
}

/** Whether there is a list item or a table row of that number. */
function listsItem(body: string, item: string): boolean {
  return new RegExp(String.raw`^(?:\s*${item}\. |\| *\**${item}\** *\|)`, 'm').test(body);
}

/** Whether a heading, a bold text, the first cell of a row, or a line begins with these words. */
function hasName({ sections }: Document, name: string): boolean {
  const wanted = name.toLowerCase();
  return sections.some(({ number, title, body }) => {
    if (title.toLowerCase().startsWith(wanted) || number?.toLowerCase() === wanted) return true;
    return body
      .toLowerCase()
      .split('\n')
      .some((line) => line.replace(/^(?:\s*(?:-|\d+\.) )?(?:\| *)?\**/, '').startsWith(wanted));
  });
}

function noSection(document: Document, number: string): string {
  const chapter = number.split('.')[0] ?? '';
  const numbers = document.sections.flatMap((section) => section.number ?? []);
  const near = numbers.filter((one) => one === chapter || one.startsWith(`${chapter}.`));
  const shown = near.length > 0 ? near : numbers.filter((one) => !one.includes('.'));
  return `${document.path} has no section ${number}; it has ${shown.join(', ') || 'no numbered sections'}`;
}

function rulingFault(number: string, { documents }: Repository): string | undefined {
  const rulings = documents.get(RULINGS);
  if (rulings === undefined) return `${RULINGS} does not exist`;
  const isThere = rulings.sections.some(({ body }) => listsItem(body, number));
  return isThere ? undefined : `${RULINGS} has no row ${number}`;
}

function unknownFile({ paths }: Repository): string {
  const names = [...paths].filter((path) => dirname(path) === SPEC).map((path) => path.slice(SPEC.length + 1));
  return `no such file; ${SPEC} has ${names.toSorted().join(', ')}`;
}

function brokenLinks(path: string, text: string, { paths, documents }: Repository): readonly BrokenCitation[] {
  const broken: BrokenCitation[] = [];
  let fenced = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced) continue;
    for (const [, link = ''] of line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length)).matchAll(LINK)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [target = '', anchor] = link.split('#');
      const found =
        target === '' ? path : normalize(join(dirname(path), decodeURIComponent(target))).replace(/\/$/, '');
      const report = (hint: string) => broken.push({ file: path, line: index + 1, citation: link, hint });
      if (!paths.has(found) && found !== '.') report(`there is no ${found}`);
      else if (anchor !== undefined && documents.get(found)?.slugs.has(anchor) === false)
        report(`${found} has no heading with the anchor #${anchor}`);
    }
  }
  return broken;
}

function brokenTests(path: string, text: string, { tests }: Repository): readonly BrokenCitation[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(TEST)].flatMap(([, name = '', titles = '']) => {
      const named = tests.filter((test) => `/${test.path}`.endsWith(`/${name}`));
      const report = (citation: string, hint: string) => ({ file: path, line: index + 1, citation, hint });
      if (named.length === 0) return [report(name, 'no such test file')];
      return [...titles.matchAll(/"([^"]+)"/g)]
        .filter(([, title = '']) => !named.some((test) => test.text?.includes(title)))
        .map(([, title = '']) => report(title, `${name} has no test of that title`));
    }),
  );
}

const SEARCHED = /(?:\.(?:ts|js|cjs|md|prisma|sql|json|ya?ml|sh|toml|conf)|(?:^|\/)Dockerfile|^\.ci\/run)$/;
// Generated, or with citations that are broken on purpose.
const NOT_SEARCHED: ReadonlySet<string> = new Set(['package-lock.json', 'tools/check-citations.test.ts']);

/** All files that git tracks or would track, with the text of those that are searched. */
function readRepository(root: string): readonly RepositoryFile[] {
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\0');
  // A file that was deleted and not yet staged is still in the list.
  const present = [...new Set(paths)].filter((path) => path !== '' && existsSync(join(root, path)));
  return present.map((path) => {
    const isSearched = SEARCHED.test(path) && !NOT_SEARCHED.has(path) && statSync(join(root, path)).isFile();
    return isSearched ? { path, text: readFileSync(join(root, path), 'utf8') } : { path };
  });
}

if (process.argv[1] === import.meta.filename) {
  const broken = brokenCitations(readRepository(join(import.meta.dirname, '..')));
  for (const { file, line, citation, hint } of broken) console.error(`${file}:${line}  ${citation}  (${hint})`);
  console.log(broken.length === 0 ? 'every citation resolves' : `${broken.length} citation(s) do not resolve`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
