import { describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { doubleDeps, type DoubleAnswer } from '../../../test-support/api-double.ts';
import { found, foundTender } from '../../../test-support/fixtures/found-tenders.ts';

const API = '/api/2.5';
const ID = '0123456789abcdef0123456789abcdef';
const NUMBER = 'UA-2026-03-02-000001';
const HISTORY = [
  { rev: 3, dateModified: '2026-03-04T09:30:00+02:00', status: 'active.enquiries', causes: ['question.answered'] },
  { rev: 1, dateModified: '2026-03-02T10:15:00+02:00', status: 'active.enquiries', causes: ['tender.created'] },
];

function portal(answer: DoubleAnswer = { body: found }) {
  const deps = doubleDeps((path) => {
    if (path === `${API}/search`) return answer;
    if (path === `${API}/lookup`) return { body: { data: [{ id: ID, tenderID: NUMBER }] } };
    return path === `${API}/tenders/${ID}/history` ? { body: { data: HISTORY } } : undefined;
  });
  const app = buildApp(deps);
  return {
    calls: deps.calls,
    get: async (url: string, headers = {}) => app.inject({ url, headers: { host: 'portal.example', ...headers } }),
  };
}

describe('GET /tenders.atom', () => {
  it('has the newest tenders of a search, whatever their order on the page', async () => {
    const { get, calls } = portal();
    const { statusCode, headers, body } = await get('/en/tenders.atom?cpv=30&sort=amount&amountFrom=1+000');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(calls.at(-1)).toBe(`${API}/search?cpv=30&amountFrom=1000&sort=-created&limit=50`);
    expect(body.match(/<entry>/g)).toHaveLength(found.data.length);
    expect(body).toContain('<title type="text">Tenders · CPV 30 ');
    const { tenderID } = foundTender(0);
    expect(body).toContain(`<id>tag:portal.example,${tenderID.slice(3, 13)}:${tenderID}</id>`);
    expect(body).toContain(`href="https://portal.example/en/tenders/${tenderID}"`);
  });

  it('is 304 for a reader who has it', async () => {
    const { get } = portal();
    // The first page of a process asks what the API is, too.
    await get('/tenders.atom');
    const { headers } = await get('/tenders.atom');
    const again = await get('/tenders.atom', { 'if-none-match': headers.etag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each(['/tenders.atom?amountFrom=abc', '/tenders.atom?buyer=ліцей', '/tenders.atom?status=foo'])(
    'leads from %s to the page that says what is wrong',
    async (url) => {
      const { statusCode, headers } = await portal({ status: 400, body: { errors: [] } }).get(url);
      expect(statusCode).toBe(303);
      expect(headers.location).toMatch(/^\/tenders\?/);
    },
  );
});

describe('GET /tenders/{UA-number}.atom', () => {
  it('has the states of a tender with what led to them', async () => {
    const { get, calls } = portal();
    const { statusCode, body } = await get(`/tenders/${NUMBER}.atom`);
    expect(statusCode).toBe(200);
    expect(calls.at(-1)).toBe(`${API}/tenders/${ID}/history?descending=1&limit=50`);
    expect(body).toContain(
      `<title type="text">Замовник відповів на запитання</title><id>tag:portal.example,2026-03-02:${NUMBER}:3</id>`,
    );
    expect(body).toContain(`href="https://portal.example/tenders/${NUMBER}/history/3"`);
  });

  it('is 404 for what is no number', async () => {
    expect((await portal().get('/tenders/UA-1.atom')).statusCode).toBe(404);
  });
});
