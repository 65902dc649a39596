import { describe, expect, it } from 'vitest';
import { brokenCitations, type RepositoryFile } from './check-citations.ts';

const HTTP = `# HTTP

## 0. Rules

### 0.2 Order of checks

| Step | Check |
|---|---|
| 6 | content type |
| 7 | permission |
| 7a | level |

## 2. Documents

### 2.4 Versions

1. POST creates an id.
2. PUT adds a version.

### 2.9 Streaming

| Point | Rule |
|---|---|
| Before the body | refuse from headers alone |

## Appendix A. Schemes

\`\`\`sh
# 9. not a heading
\`\`\`
`;

const ARCHITECTURE = `# Architecture

## Handshakes that must not race

1. **Closing of bids.** One transaction.

## Quality bars

- **Envelope.** CloudEvents.
`;

const RULINGS = `# Rulings

| # | Question | Ruling |
|---|---|---|
| R1 | credentials | 401 |
| R3 | guards | open |
`;

const DOCUMENTS: readonly RepositoryFile[] = [
  { path: 'docs/spec/http.md', text: HTTP },
  { path: 'docs/spec/architecture.md', text: ARCHITECTURE },
  { path: 'docs/spec/rulings.md', text: RULINGS },
  { path: 'docs/decisions/0001-instants.md', text: '# Instants\n' },
  { path: 'docs/spec/README.md', text: '# Specification\n' },
  { path: 'README.md', text: '# Tenders\n\n## Map\n' },
  { path: 'services/bids/src/main.ts' },
  { path: 'services/bids/src/bid.test.ts', text: "it('opens (A1)')" },
];

/** What is wrong with one citing file, as `line: citation`. */
function faultsIn(text: string, path = 'services/bids/src/domain/bid.ts'): readonly string[] {
  return brokenCitations([...DOCUMENTS, { path, text }]).map(({ line, citation }) => `${line}: ${citation}`);
}

function hintFor(text: string): string {
  return brokenCitations([...DOCUMENTS, { path: 'services/bids/src/domain/bid.ts', text }])[0]?.hint ?? 'none';
}

describe('citations that resolve', () => {
  it.each([
    ['a section', '/** Given oldest first (http.md 2.4). */'],
    ['a chapter', '// http.md 2 says so.'],
    ['the word section', '// As http.md section 2.4 says.'],
    ['code marks around the name', '// The order is `http.md` 0.2.'],
    ['the whole path', '// docs/spec/http.md 2.4'],
    ['an item of a list as a third number', '// http.md 2.4.2'],
    ['several sections', '// http.md 0.2, 2.4 and 2.9'],
    ['a range of sections', '// http.md 2.4 to 2.9'],
    ['rows', '// http.md 0.2 steps 6 and 7, 2.4'],
    ['a row with a letter', '// http.md 0.2 step 7a'],
    ['a named row', '// http.md 2.9, "before the body"'],
    ['an appendix', '// http.md, Appendix A'],
    ['a heading without a number', '// architecture.md, Quality bars: ratios'],
    ['a numbered part of a heading', '// architecture.md, handshake 1: closing'],
    ['a bold name', '// architecture.md "Envelope"'],
    ['a ruling', '// rulings R3, http.md 2.4, R1'],
    ['a ruling in brackets', '/** What others see (R3). */'],
    ['a section on the next line of a comment', '/**\n * Order of checks (http.md\n * 0.2 step 6).\n */'],
    ['a number of the sentence', '// http.md: 4 to 8 kB'],
    ['a numbered word of the sentence', '// http.md 2.4, pass 1'],
    ['a number after a stop', '// (http.md 0.2), 404 of the lot'],
    ['a file in a folder above, before one in docs/spec', '// README.md, Map'],
    ['a decision', '// 0001-instants.md'],
    ['a member that only looks like a file', 'const tag = digest.md5; const found = /[a-z]+.md5/;'],
    ['a pattern of files', '"ignore": ["**/*.md"]'],
  ])('accepts %s', (_what, text) => {
    expect(faultsIn(text)).toEqual([]);
  });
});

describe('citations that do not resolve', () => {
  it.each([
    ['an unknown document', '// lost.md 2.4', ['1: lost.md']],
    ['an unknown path', '// docs/spec/lost.md', ['1: docs/spec/lost.md']],
    ['an unknown section', '\n// http.md 2.5', ['2: http.md 2.5']],
    ['an unknown chapter', '// http.md 9', ['1: http.md 9']],
    ['an unknown item', '// http.md 2.4.3', ['1: http.md 2.4.3']],
    ['the second of two sections', '// http.md 2.4, 2.5', ['1: http.md 2.4, 2.5']],
    ['an unknown row', '// http.md 0.2 step 8', ['1: http.md 0.2 step 8']],
    ['the end of a range of rows', '// http.md 0.2 steps 6 to 9', ['1: http.md 0.2 steps 6 to 9']],
    ['an unknown named row', '// http.md 2.9, "after the body"', ['1: http.md 2.9, "after the body"']],
    ['an unknown heading', '// architecture.md, Lost bars', ['1: architecture.md, Lost bars']],
    ['an unknown part', '// architecture.md, handshake 2', ['1: architecture.md, handshake 2']],
    ['a part under no heading', '// http.md, handshake 1', ['1: http.md, handshake 1']],
    ['an unknown ruling', '// rulings R2', ['1: R2']],
    ['the second of two rulings', '// rulings R1, R2', ['1: R2']],
    ['an unknown ruling in brackets', '// as decided (ruling R9)', ['1: R9']],
    ['an unknown ruling after a section', '// http.md 2.4, R7', ['1: http.md 2.4, R7']],
    ['a section on the next line of a comment', '/**\n * Order of checks (http.md\n * 0.3).\n */', ['2: http.md 0.3']],
  ])('finds %s', (_what, text, faults) => {
    expect(faultsIn(text)).toEqual(faults);
  });

  it('names the sections that there are', () => {
    expect(hintFor('// http.md 2.5')).toBe('docs/spec/http.md has no section 2.5; it has 2, 2.4, 2.9');
  });

  it('names the documents that there are', () => {
    expect(hintFor('// lost.md')).toBe('no such file; docs/spec has README.md, architecture.md, http.md, rulings.md');
  });

  it('finds every ruling when there are no rulings', () => {
    expect(brokenCitations([{ path: 'a.ts', text: '// rulings R1' }]).map(({ citation }) => citation)).toEqual(['R1']);
  });
});

describe('links of Markdown files', () => {
  const linksIn = (text: string) => faultsIn(text, 'docs/spec/generations.md');

  it.each([
    ['to a file', '[HTTP](http.md)'],
    ['to a heading', '[versions](http.md#24-versions)'],
    ['to a heading of its own', '# Two words\n\n[above](#two-words)'],
    ['to a folder', '[bids](../../services/bids/)'],
    ['to the web', '[OCDS](https://standard.open-contracting.org)'],
    ['in code', '`[x](lost.txt)`\n\n```\n[x](lost.txt)\n```'],
  ])('accepts one %s', (_what, text) => {
    expect(linksIn(text)).toEqual([]);
  });

  it.each([
    ['to an unknown file', '\n[x](lost.md)', ['2: lost.md']],
    ['to an unknown heading', '[x](http.md#25-versions)', ['1: http.md#25-versions']],
    ['to an unknown folder', '[x](../../services/lost/)', ['1: ../../services/lost/']],
  ])('finds one %s', (_what, text, faults) => {
    expect(linksIn(text)).toEqual(faults);
  });
});

it('finds tests that a Markdown file names and that are not there', () => {
  const text =
    '`bid.test.ts`, `src/bid.test.ts` "opens (A1)"\n`id.test.ts` and `bids/src/bid.test.ts` "opens (A1)", "closes"';
  expect(faultsIn(text, 'docs/security.md')).toEqual(['2: id.test.ts', '2: closes']);
  expect(faultsIn(text)).toEqual([]);
});
