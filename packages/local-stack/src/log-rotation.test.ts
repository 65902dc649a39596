import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rotateLogs } from './log-rotation.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('rotateLogs', () => {
  it('keeps two files of a bounded size, while the process goes on writing', () => {
    const path = join(folder, 'bids.log');
    const file = openSync(path, 'a', 0o600);
    for (let n = 0; n < 100; n += 1) {
      writeSync(file, `line ${n}\n`);
      rotateLogs(folder, 50);
    }
    closeSync(file);
    expect(readdirSync(folder).toSorted()).toEqual(['bids.log', 'bids.log.1']);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThan(70);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const lines = `${readFileSync(`${path}.1`, 'utf8')}${readFileSync(path, 'utf8')}`.trim().split('\n');
    expect(lines.at(-1)).toBe('line 99');
    expect(lines.length).toBeGreaterThan(5);
  });
});
