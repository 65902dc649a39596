import { describe, expect, it } from 'vitest';
import { readArchivedLine } from './archive-lines.ts';
import { isVoid } from './archive-objects.ts';
import { exportLine, type ExportedRevision } from './domain/export-lines.ts';

const ID = 'a'.repeat(32);
/** Bytes that a parser would write otherwise, and what looks like the beginning of a tender. */
const TEXT = `{"data":{"id":"${ID}","value":500.0,"title":",\\"tender\\":{}\u2028"}}`;
const REVISION: ExportedRevision = {
  position: 1_774_900_801_000_001n,
  id: ID,
  rev: 7,
  causes: 6n,
  text: TEXT,
  isFirst: false,
  isHiddenTest: false,
};

describe('readArchivedLine', () => {
  it('gives back what was exported, byte for byte', () => {
    expect(readArchivedLine(exportLine('revisions', REVISION))).toEqual({
      kind: 'publication',
      isBaseline: false,
      publication: {
        position: 1_774_900_801_000_001,
        previous: undefined,
        id: ID,
        rev: 7,
        listed: true,
        isTest: false,
        causes: 6n,
        text: TEXT,
      },
    });
    expect(readArchivedLine(exportLine('revisions', { ...REVISION, isFirst: true }))).toMatchObject({
      publication: { isFirst: true },
    });
    expect(readArchivedLine(exportLine('revisions', { ...REVISION, isRedacted: true }))).toMatchObject({
      publication: { redacted: true, text: TEXT },
    });
  });

  it('distinguishes a tender that is not listed from one that has become a test', () => {
    const removed = { ...REVISION, text: undefined };
    expect(readArchivedLine(exportLine('revisions', removed))).toMatchObject({
      publication: { listed: false, text: undefined, rev: 7 },
    });
    expect(readArchivedLine(exportLine('revisions', { ...removed, isHiddenTest: true }))).toEqual({
      kind: 'hidden',
      position: 1_774_900_801_000_001,
      id: ID,
    });
  });

  it.each(['', '[]', '{"position":"1.0","rev":1}', '{"position":"x","rev":1,"id":"1","removed":true}', '{"rev":1}'])(
    'refuses %j',
    (line) => {
      expect(() => readArchivedLine(line)).toThrow(/JSON|Invalid|position|tender/);
    },
  );
});

describe('isVoid', () => {
  it('holds within restores after the epoch of the export', () => {
    const voids = [{ epoch: 2, restoredTo: 10n, began: 20n }];
    expect([10n, 11n, 19n, 20n].map((position) => isVoid(voids, 1, position))).toEqual([false, true, true, false]);
    expect(isVoid(voids, 2, 15n)).toBe(false);
  });
});
