import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A range of lines, both ends included. */
export interface Range {
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Two ranges with the same code, and its length in tokens. */
export interface Duplicate {
  readonly first: Range;
  readonly second: Range;
  readonly tokens: number;
}

/** Duplicates between two files (or within one, if both are equal) that may stay, up to a length. */
export interface AllowedDuplicate {
  readonly files: readonly [string, string];
  readonly tokensMax: number;
  readonly why: string;
}

/** Tokens of the shortest run that counts: 5 to 10 lines. */
const TOKENS_MIN = 70;

const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?\*\/|\s+|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[^]/gu;
const COMMENT_OR_BLANK = /^(?:\/\/|\/\*|\s)/;
/** Lists of imports repeat wherever the same things are used. */
const IMPORT = /^(?:import\b[^;]*?from '[^']*';|import '[^']*';|export (?:\*|\{[^}]*\}) from '[^']*';)$/gm;

interface Token {
  readonly id: number;
  readonly line: number;
}

/**
 * Runs of at least `tokensMin` equal tokens in two places. Comments, white space and import statements do not count; names and
 * literals do, so only copied code is found, not code of the same form. Of three copies the second and the third are reported
 * with the first.
 */
export function findDuplicates(files: readonly SourceFile[], tokensMin = TOKENS_MIN): readonly Duplicate[] {
  const tokenIds = new Map<string, number>();
  const tokens: Token[] = [];
  const fileAt: number[] = [];
  files.forEach(({ text }, file) => {
    for (const token of tokensOf(text, tokenIds)) {
      tokens.push(token);
      fileAt.push(file);
    }
    // Ends every run at the end of its file: no other token has this id.
    tokens.push({ id: -1 - file, line: 0 });
    fileAt.push(file);
  });
  return runs(
    tokens.map(({ id }) => id),
    tokensMin,
  ).map(({ first, second, length }) => {
    const range = (start: number): Range => ({
      path: files[fileAt[start] ?? 0]?.path ?? '',
      firstLine: tokens[start]?.line ?? 0,
      lastLine: tokens[start + length - 1]?.line ?? 0,
    });
    return { first: range(first), second: range(second), tokens: length };
  });
}

function tokensOf(text: string, ids: Map<string, number>): readonly Token[] {
  const blanked = text.replaceAll(IMPORT, (statement) => statement.replaceAll(/[^\n]/g, ' '));
  const tokens: Token[] = [];
  let line = 1;
  for (const [token] of blanked.matchAll(TOKEN)) {
    if (!COMMENT_OR_BLANK.test(token)) {
      const id = ids.get(token) ?? ids.size;
      ids.set(token, id);
      tokens.push({ id, line });
    }
    line += token.split('\n').length - 1;
  }
  return tokens;
}

interface Run {
  readonly first: number;
  readonly second: number;
  readonly length: number;
}

/** The longest equal runs, each with the first place that has its beginning. */
function runs(ids: readonly number[], lengthMin: number): readonly Run[] {
  const found: Run[] = [];
  const firstPlaces = new Map<number, number>();
  const hashes = windowHashes(ids, lengthMin);
  for (let second = 0; second < hashes.length; second += 1) {
    const hash = hashes[second] ?? 0;
    const first = firstPlaces.get(hash);
    if (first === undefined) {
      firstPlaces.set(hash, second);
      continue;
    }
    let length = 0;
    // A run within one file ends where its copy begins.
    while (first + length < second && second + length < ids.length && ids[first + length] === ids[second + length]) {
      length += 1;
    }
    if (length < lengthMin) continue;
    found.push({ first, second, length });
    second += length - 1;
  }
  return found;
}

const FACTOR = 0x01000193;

/** A rolling hash of the `length` ids that begin at each place. */
function windowHashes(ids: readonly number[], length: number): readonly number[] {
  const hashes: number[] = [];
  let leading = 1;
  for (let i = 0; i < length; i += 1) leading = Math.imul(leading, FACTOR);
  let hash = 0;
  for (let i = 0; i < ids.length; i += 1) {
    hash = (Math.imul(hash, FACTOR) + (ids[i] ?? 0) + 7) | 0;
    if (i >= length) hash = (hash - Math.imul(leading, (ids[i - length] ?? 0) + 7)) | 0;
    if (i >= length - 1) hashes.push(hash);
  }
  return hashes;
}

/** One sentence for each duplicate that is not allowed, and for each entry of the allow list that allows nothing. */
export function duplicateProblems(
  duplicates: readonly Duplicate[],
  allowed: readonly AllowedDuplicate[],
): readonly string[] {
  const used = new Set<AllowedDuplicate>();
  const problems: string[] = [];
  for (const { first, second, tokens } of duplicates) {
    const entry = allowed.find(({ files }) => files.toSorted().join() === [first.path, second.path].toSorted().join());
    if (entry !== undefined) used.add(entry);
    if (entry !== undefined && tokens <= entry.tokensMax) continue;
    const limit = entry === undefined ? '' : `, ${entry.tokensMax} are allowed`;
    problems.push(`${textOf(second)} repeats ${textOf(first)} (${tokens} tokens${limit})`);
  }
  for (const entry of allowed) {
    if (!used.has(entry)) problems.push(`duplicates.allowed.json: ${entry.files.join(' and ')} have no duplicate`);
  }
  return problems;
}

function textOf({ path, firstLine, lastLine }: Range): string {
  return `${path}:${firstLine}-${lastLine}`;
}

const Allowed = z.array(
  z.strictObject({
    files: z.tuple([z.string(), z.string()]),
    tokensMax: z.number().int().positive(),
    why: z.string().min(10),
  }),
);

/** All sources that git tracks or would track; src/gen is ignored by git. */
function readSources(root: string): readonly SourceFile[] {
  const folders = ['packages', 'services', 'apps', 'test', 'tools'];
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...folders];
  const paths = execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n');
  const deleted = new Set(execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n'));
  return (
    paths
      // Data that a tool writes, such as the examples of OpenAPI, repeats itself.
      .filter((path) => /\.(?:ts|js)$/.test(path) && !path.includes('.golden.') && !deleted.has(path))
      .toSorted()
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  );
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const allowed = Allowed.parse(JSON.parse(readFileSync(join(root, 'tools/duplicates.allowed.json'), 'utf8')));
  const tokensMin = Number(process.argv[2] ?? TOKENS_MIN);
  const problems = duplicateProblems(findDuplicates(readSources(root), tokensMin), allowed);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'no code is repeated' : `${problems.length} repetition(s)`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
