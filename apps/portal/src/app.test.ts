import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { doubleDeps, type DoubleApi } from '../test-support/api-double.ts';
import { buildApp } from './app.ts';
import { buildOperations } from './operations.ts';

const EXAMPLE = new URL('../../../packages/ocds/examples/paper.states.json', import.meta.url);
const paper: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(EXAMPLE, 'utf8')).at(-1);
const NUMBER = 'UA-2026-03-02-000001';

/** The tender that the API has now. */
let tender: object = paper;

const api: DoubleApi = (path) => {
  if (path.endsWith('/lookup')) return { body: { data: [{ id: paper['id'], tenderID: NUMBER }] } };
  if (path.endsWith('/history')) return { body: { data: [] } };
  return path.includes('/tenders/') ? { body: { data: tender } } : undefined;
};

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

function appWith(change: object = {}) {
  const deps = { ...doubleDeps(api), ...change };
  const app = buildApp(deps);
  cleanUp.push(async () => app.close());
  return { app, deps };
}

const FORM = 'application/x-www-form-urlencoded';

describe('requests that no page takes', () => {
  it.each([
    ['POST to a page', '/en/tenders', FORM, 'q=1', 404],
    ['POST to no page', '/nothing', FORM, 'q=1', 404],
    ['a form that is too long', '/en/play', FORM, 'x'.repeat(9000), 413],
    ['a body of another kind', '/play', 'application/json', '{}', 415],
  ])('%s is answered with a page in the language of the address', async (_name, url, type, payload, status) => {
    const { app } = appWith();
    const headers = { host: 'portal.example', 'content-type': type };
    const answer = await app.inject({ method: 'POST', url, headers, payload });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.body).toContain(`<html lang="${url.startsWith('/en') ? 'en' : 'uk'}"`);
    expect(answer.body.match(/<h1/g)).toHaveLength(1);
  });

  it.each(['/%E0', '//[', '/tenders/%00'])('%s tells nothing of the program', async (url) => {
    const { app } = appWith();
    const { statusCode, body } = await app.inject({ url, headers: { host: 'portal.example' } });
    expect(statusCode).toBeLessThanOrEqual(500);
    expect(body).not.toMatch(/Error|Invalid|URI|"statusCode"/);
  });

  it('a failure of the page of an error is answered with its number alone', async () => {
    const failing = () => {
      throw new Error('a secret message');
    };
    const { app } = appWith({ siteOf: failing });
    const answer = await app.inject({ url: '/en/nothing', headers: { host: 'portal.example' } });
    expect([answer.statusCode, answer.body]).toEqual([500, `500\n${String(answer.headers['x-request-id'])}\n`]);
  });
});

describe('a tender with a member that no page expects (portal.md 13)', () => {
  it.each([5, 'text', true, [], [5], {}, { a: 1 }])('each member as %j: the page is there', async (value) => {
    const { app } = appWith();
    const failed: string[] = [];
    for (const name of Object.keys(paper)) {
      tender = { ...paper, [name]: value };
      const answer = await app.inject({ url: `/en/tenders/${NUMBER}`, headers: { host: 'portal.example' } });
      if (answer.statusCode !== 200 || answer.body.match(/<h1/g)?.length !== 1) failed.push(name);
    }
    expect(failed).toEqual([]);
  });

  it('is counted', async () => {
    const { app, deps } = appWith();
    tender = { ...paper, items: 5, bids: 'text' };
    await app.inject({ url: `/en/tenders/${NUMBER}`, headers: { host: 'portal.example' } });
    await app.inject({ url: '/favicon.svg', headers: { host: 'portal.example' } });
    const operations = buildOperations(deps, () => false);
    cleanUp.push(async () => operations.close());
    const { body } = await operations.inject('/metrics');
    expect(Number(/^portal_unread_members_total\{[^}]*\} (\d+)/m.exec(body)?.[1])).toBeGreaterThan(1);
    for (const labels of ['page="/tenders/:number",status="2xx"', 'page="other",status="2xx"'])
      expect(body).toMatch(new RegExp(`portal_page_seconds_count\\{[^}]*${labels}\\} 1`));
    expect(body).toContain('# TYPE portal_call_seconds histogram');
  });
});
