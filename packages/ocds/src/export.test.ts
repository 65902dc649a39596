import { describe, expect, it } from 'vitest';
import { exampleNames, exampleSettings, exampleStates, publish } from '../test-support/examples.ts';
import { schemaErrors } from '../test-support/validator.ts';
import { exportTenders, readLines, type ExportOptions } from './export.ts';

const text = exampleNames
  .flatMap((name) => exampleStates(name))
  .map((state) => `${JSON.stringify(state)}\n`)
  .join('');

async function* splitIntoChunks(source: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(source);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function collected(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

async function exported(source: string, options: Pick<ExportOptions, 'kind' | 'form'>): Promise<[string, string[]]> {
  const invalid: string[] = [];
  const pieces = await collected(
    exportTenders(readLines(splitIntoChunks(source, 1000)), {
      ...options,
      uri: 'https://procurement.example/releases.json',
      emptyPublishedDate: '2026-04-01T00:00:00.000Z',
      settings: exampleSettings,
      onInvalid: (line, reason) => invalid.push(`${line}: ${reason}`),
    }),
  );
  return [pieces.join(''), invalid];
}

const parsedLines = (lines: string): unknown[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('an export', () => {
  it('has the releases that a projector makes of the same views', async () => {
    const [lines] = await exported(text, { kind: 'releases', form: 'lines' });
    const releases = exampleNames.flatMap((name) => publish(exampleStates(name)).map(({ release }) => release));
    expect(parsedLines(lines)).toEqual(releases);
  });

  it('has one record for each tender', async () => {
    const [lines] = await exported(text, { kind: 'records', form: 'lines' });
    expect(parsedLines(lines)).toHaveLength(exampleNames.length);
  });

  it.each(['releases', 'records'] as const)(
    'of %s is a valid package, with the date of its newest release',
    async (kind) => {
      const [json] = await exported(text, { kind, form: 'package' });
      const content = JSON.parse(json) as { publishedDate: string };
      expect(schemaErrors(kind, content)).toEqual([]);
      expect(content.publishedDate).toBe('2026-06-30T06:00:00.014Z');
    },
  );

  it('goes on after a line that is no tender, and names it', async () => {
    const source = `{"id":\n\n[]\n${text}{"id":"1"}`;
    const [lines, invalid] = await exported(source, { kind: 'records', form: 'lines' });
    expect(parsedLines(lines)).toHaveLength(exampleNames.length);
    const last = text.split('\n').length + 3;
    expect(invalid).toEqual(['1: not a JSON object', '3: not a JSON object', `${last}: no tenderID`]);
  });

  it('of nothing is a package without entries', async () => {
    const [content] = await exported('', { kind: 'releases', form: 'package' });
    expect(JSON.parse(content)).toMatchObject({ releases: [], publishedDate: '2026-04-01T00:00:00.000Z' });
  });
});

describe('readLines', () => {
  it.each([1, 2, 3, 100])('keeps characters that %i bytes a chunk cut, and U+2028 inside of a line', async (size) => {
    const lines = ['"є 💶 \u2028 \u2029"', '', '"кінець"'];
    expect(await collected(readLines(splitIntoChunks(lines.join('\n'), size)))).toEqual(lines);
  });
});
