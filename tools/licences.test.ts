import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenceTexts } from './licences.ts';

let root: string;

function addPackage(name: string, manifest: object, licence?: string): string {
  const folder = join(root, 'node_modules', name);
  mkdirSync(join(folder, 'esm'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
  writeFileSync(join(folder, 'esm/package.json'), '{"type": "module"}');
  if (licence !== undefined) writeFileSync(join(folder, 'LICENSE'), licence);
  return `node_modules/${name}/esm/main.js`;
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'licences-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('licenceTexts', () => {
  it('has the text of each package once, by name, and nothing of own files', () => {
    const files = [
      addPackage('@scope/b', { license: 'Apache-2.0' }, 'Text of b'),
      addPackage('a', { license: 'ISC' }, 'Text of a'),
    ];
    const text = licenceTexts(root, [...files, ...files, 'services/x/src/main.ts']);
    expect(text).toMatch(
      /^Licences of the 2 packages [^]*@scope\/b 1\.0\.0 \(Apache-2\.0\)\n-+\n\nText of b[^]*a 1\.0\.0 \(ISC\)\n-+\n\nText of a\n$/,
    );
  });

  it('has the text of MIT where a package names the licence only', () => {
    const text = licenceTexts(root, [addPackage('bare', { license: 'MIT', author: 'A. Author' })]);
    expect(text).toMatch(/Author: A\. Author\. That of MIT:\n\nPermission is hereby granted/);
  });

  it('refuses a package without a licence', () => {
    expect(() => licenceTexts(root, [addPackage('none', {})])).toThrow('none 1.0.0 has no licence');
  });
});
