import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourcesHash, SOURCES } from './manifest.ts';

test('the hash of the pictures follows views and sheets, and not their tests and what is generated', () => {
  const root = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    for (const folder of SOURCES) mkdirSync(join(root, folder, 'gen'), { recursive: true });
    const hashWith = (path: string): string => {
      writeFileSync(join(root, path), 'content');
      return sourcesHash(root);
    };
    const first = sourcesHash(root);
    const withSheet = hashWith('packages/page-style/css/base.css');
    expect(withSheet).not.toBe(first);
    expect(hashWith('apps/portal/src/view.test.tsx')).toBe(withSheet);
    expect(hashWith('packages/page-style/src/gen/assets.ts')).toBe(withSheet);
    expect(hashWith('apps/portal/src/view.tsx')).not.toBe(withSheet);
  } finally {
    rmSync(root, { recursive: true });
  }
});
