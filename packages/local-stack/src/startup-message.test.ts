import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { portFamily } from './ports.ts';
import { exampleRequests, startupMessage } from './startup-message.ts';

describe('startupMessage', () => {
  const stack = { ports: portFamily(8_080), logVkey: 'sandbox.localhost/log+00000000+key' };
  const message = startupMessage(stack, 0, true);

  it('begins with the portal, then the guides, then requests on the current segment', () => {
    expect([...message.matchAll(/http:\/\/127\.0\.0\.1:8088(\S*)/g)].map(([, path]) => path)).toEqual([
      '/en',
      '/)',
      '/en/play',
    ]);
    expect(startupMessage(stack, 0, false)).not.toContain('8088');
    const addresses = [...message.matchAll(/http:\/\/127\.0\.0\.1:8080(\/[\w.-]*(?:\/[\w.-]+)*)/g)].map(
      ([, path]) => path,
    );
    expect(addresses.slice(0, 3)).toEqual(['/docs/guides', '/docs', '/api/2.5/tenders']);
    expect(message.split('\n').filter((line) => line.startsWith('curl'))).toEqual(
      exampleRequests('http://127.0.0.1:8080/api/2.5', 0),
    );
  });

  it('has the address of the public log and its key', () => {
    expect(message).toContain('http://127.0.0.1:8080/log\n');
    expect(message).toContain('sandbox.localhost/log+00000000+key');
  });

  it('names all segments', () => {
    expect(message).toContain('http://127.0.0.1:8080/api/2.5   (also /api/2.3, /api/0, /api/0.1)');
  });

  it('has every key of the sandbox', () => {
    const path = '../../../services/gateway/src/auth/sandbox-keys.ts';
    const source = readFileSync(new URL(path, import.meta.url), 'utf8');
    const rows = [...source.matchAll(/name: '(\w+)', group: '(\w+)', levels: '(\w*)'/g)];
    expect(rows.length).toBeGreaterThan(9);
    for (const [, name, group, levels] of rows) {
      expect(message).toMatch(new RegExp(`\\b${name}\\b.* ${group} .*\\b${levels}\\b`));
    }
  });
});
