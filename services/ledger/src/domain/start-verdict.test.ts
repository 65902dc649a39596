import { describe, expect, it } from 'vitest';
import { judgeStart, type OwnLog, type StoredCheckpoint, type StartVerdict } from './start-verdict.ts';

const ours = (size: number, hasOurRoot?: boolean): StoredCheckpoint => ({ kind: 'ours', size, hasOurRoot });

describe('judgeStart', () => {
  it.each<[string, OwnLog, StoredCheckpoint, StartVerdict['kind']]>([
    ['nothing at all', { size: 0, published: 0 }, { kind: 'none' }, 'begin'],
    ['a first commit before the first upload', { size: 3, published: 0 }, { kind: 'none' }, 'go-on'],
    ['a lost store', { size: 3, published: 3 }, { kind: 'none' }, 'halt'],
    ['the same log', { size: 3, published: 3 }, ours(3, true), 'go-on'],
    ['a smaller checkpoint', { size: 3, published: 2 }, ours(2, true), 'go-on'],
    ['a smaller checkpoint of another log', { size: 3, published: 2 }, ours(2, false), 'halt'],
    ['the same size with another root', { size: 3, published: 3 }, ours(3, false), 'halt'],
    ['a larger checkpoint', { size: 3, published: 3 }, ours(9), 'take-leaves'],
    ['a lost database', { size: 0, published: 0 }, ours(9), 'take-leaves'],
    ['a checkpoint of another key', { size: 3, published: 3 }, { kind: 'foreign' }, 'halt'],
    ['a checkpoint of another key, and a new database', { size: 0, published: 0 }, { kind: 'foreign' }, 'halt'],
  ])('%s', (_what, own, stored, kind) => {
    expect(judgeStart(own, stored).kind).toBe(kind);
  });
});
