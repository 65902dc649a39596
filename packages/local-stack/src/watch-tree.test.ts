import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchTree, type TreeWatch } from './watch-tree.ts';

describe('watchTree', () => {
  let folder: string;
  let tree: TreeWatch;
  let reports: (readonly string[])[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'procurement-watch-'));
    mkdirSync(join(folder, 'http'));
    writeFileSync(join(folder, 'http', 'a.ts'), '1');
    reports = [];
    tree = watchTree([folder], (paths) => reports.push(paths.map((path) => relative(folder, path))));
  });

  afterEach(() => {
    tree.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function nextReport(): Promise<readonly string[]> {
    const report = await vi.waitUntil(() => reports.shift(), { timeout: 60_000 });
    return report.toSorted();
  }

  it('reports files that were written, in one report', async () => {
    writeFileSync(join(folder, 'http', 'a.ts'), '2');
    writeFileSync(join(folder, 'main.ts'), '1');
    expect(await nextReport()).toEqual(['http/a.ts', 'main.ts']);
  });

  it('reports a file again that an editor replaced by renaming', async () => {
    for (const content of ['2', '3']) {
      writeFileSync(join(folder, 'http', 'a.ts~'), content);
      renameSync(join(folder, 'http', 'a.ts~'), join(folder, 'http', 'a.ts'));
      expect(await nextReport()).toContain('http/a.ts');
    }
  });

  it('reports files of a new folder, and of one that was deleted and came back', async () => {
    for (const content of ['1', '2']) {
      mkdirSync(join(folder, 'store', 'inner'), { recursive: true });
      writeFileSync(join(folder, 'store', 'inner', 'b.ts'), content);
      expect(await nextReport()).toContain('store/inner/b.ts');
      rmSync(join(folder, 'store'), { recursive: true });
      expect(await nextReport()).toContain('store/inner/b.ts');
    }
  });
});
