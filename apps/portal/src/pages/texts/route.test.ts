import { makeLog } from '@procurement/kit/runtime/log';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { config } from '../../config.ts';
import { makeDeps } from '../../deps.ts';

const settings = config({ API_URL: 'http://api', API_PUBLIC_URL: 'https://api.example', CONTACT: 'a@example.org' });
const deps = makeDeps(settings, makeLog('portal', 'fatal'));
const app = buildApp({ ...deps, readApi: async () => Promise.reject(new Error('a page of texts reads nothing')) });

afterAll(async () => {
  await app.close();
  await deps.close();
});

describe.each(['/about', '/take-part', '/data', '/accessibility'])('%s', (path) => {
  it('is there in both languages without the API, for five minutes', async () => {
    for (const url of [path, `/en${path}`]) {
      const { statusCode, headers, payload } = await app.inject({ url });
      expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
      expect(payload.match(/<h1/g)).toHaveLength(1);
    }
  });

  it('has no Cyrillic on the English page, except the name of the other language', async () => {
    const { payload } = await app.inject({ url: `/en${path}` });
    expect(payload.match(/[А-яЄІЇҐєіїґ]+/g)).toEqual(['Українська']);
  });

  it('leaves out a part about a setting that the site does not have', async () => {
    const { payload } = await app.inject({ url: `/en${path}` });
    expect(payload).not.toContain('Terms of use of the data');
    expect(payload.includes('a@example.org')).toBe(path === '/about' || path === '/accessibility');
  });
});
