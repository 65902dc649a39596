import type { Fetch } from '@procurement/client';
import { API } from '../../src/api/reads.ts';
import type { DoubleAnswer, DoubleApi } from '../api-double.ts';
import { contracts } from './contracts.ts';
import { buyerSums, divisions, months, regions } from './figures.ts';
import { buyerTenders, closingTenders, newestTenders, schoolTenders } from './found-tenders.ts';
import { bidding, complete, histories } from './tenders.ts';

const TENDERS = [bidding, complete];

/** The installation of the pictures: a few tenders in full, lists and figures of many. */
export const showcaseApi: DoubleApi = (path, query) => {
  const below = path.slice(API.length);
  if (below === '/search') return { body: searched(query) };
  if (below === '/statistics') return { body: counted(query) };
  if (below === '/lookup') return { body: { data: TENDERS.filter(({ tenderID }) => tenderID === query.get('ids')) } };
  if (below === '/contracts') return { body: { data: contracts, next_page: { offset: '1790000000.000001' } } };
  const followed = contracts.find(({ id: own }) => below === `/contracts/${own}`);
  if (followed !== undefined) return { body: { data: followed } };
  const [, id, part] = /^\/tenders\/([0-9a-f]{32})(\/history)?$/.exec(below) ?? [];
  const tender = TENDERS.find((one) => one.id === id);
  if (tender === undefined) return undefined;
  return { body: { data: part === undefined ? tender : histories[tender.id] } };
};

function searched(query: URLSearchParams): object {
  if (query.has('contract')) return { data: [{ ...complete, created: complete.date }] };
  if (query.has('buyer')) return query.has('expand') ? { data: [bidding] } : buyerTenders;
  if (query.has('q')) return schoolTenders;
  return query.get('sort') === 'tenderEnd' ? closingTenders : newestTenders;
}

function counted(query: URLSearchParams): object {
  if (query.get('by') === 'buyer') return buyerSums;
  return query.get('by') === 'cpv' ? divisions : query.get('by') === 'region' ? regions : months;
}

const PLAYED = '00000000000000000000000011250001';
const TOKEN = '5a0d6e1c9b7f4e2f8c3d1a6b9e4f7c20';

/** The sandbox of `/play`: publication, and a question with its answer. It answers as the API does, with fixed ids and instants. */
export const sandboxFetch: Fetch = async (address, { method = 'GET', body }) => {
  const { status = 200, body: answer } = answered(
    method,
    new URL(address).pathname,
    typeof body === 'string' ? body : '',
  );
  return new Response(JSON.stringify(answer), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-sandbox': '1' },
  });
};

const { enquiryPeriod, tenderPeriod } = bidding;
let published: object = {};

function answered(method: string, path: string, sent: string): Exclude<DoubleAnswer, 'away'> {
  if (path === '/health') return { body: { sandbox: true } };
  if (path.endsWith('/clock')) return { body: { data: { now: enquiryPeriod?.startDate, ahead: 'PT0S' } } };
  // Safe cast: the client sends `{ data }`.
  const { data } = (sent === '' ? {} : JSON.parse(sent)) as { readonly data?: object };
  const at = enquiryPeriod?.startDate;
  if (method === 'POST' && path === `${API}/tenders`) {
    const service = { id: PLAYED, tenderID: 'UA-2026-11-25-000001', status: 'active.enquiries', date: at };
    published = { ...service, ...data, enquiryPeriod, tenderPeriod, dateModified: at };
    return { status: 201, body: { access: { token: TOKEN }, data: published } };
  }
  if (method === 'GET') return { body: { data: published } };
  return { status: method === 'POST' ? 201 : 200, body: { data: { id: PLAYED, date: at, ...data } } };
}
