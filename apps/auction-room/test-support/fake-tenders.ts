import { addMicros, formatLocalDate, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { ServiceAnswer, TenderService } from '../src/tender-service/client.ts';
import type { ServiceRequest } from '../src/tender-service/requests.ts';

/** A tender as the stand-in keeps it. Tests change it, and `touch` shows the change in the feed. */
export interface FakeTender {
  readonly id: string;
  status: string;
  auctionPeriod: { startDate?: string; endDate?: string };
  auctionUrl?: string;
  lots?: { readonly id: string; status: string; auctionUrl?: string; auctionPeriod: { startDate?: string } }[];
  bids: FakeBid[];
  documents: { readonly id: string; readonly title: string }[];
  /** Microseconds that its sandbox clock is ahead. */
  ahead: number;
}

interface FakeBid {
  readonly id: string;
  readonly date: string;
  participationUrl?: string;
  value?: { amount: number; currency: string };
  lotValues?: { readonly relatedLot: string; date: string; value: { amount: number; currency: string } }[];
}

/** What a test makes of a request before the stand-in sees it: another answer, or `lost`, which is done and not answered. May hold it. */
type Fault = (
  request: ServiceRequest,
) => ServiceAnswer | 'lost' | undefined | Promise<ServiceAnswer | 'lost' | undefined>;

/** A tender service in memory, behind the interface of the real one's client. */
export interface FakeTenders extends TenderService {
  /** All requests that change something, with their outcome. */
  readonly changes: readonly (ServiceRequest & { readonly status: number })[];
  fault: Fault | undefined;
  publish(tender: Partial<FakeTender> & Pick<FakeTender, 'id'>): FakeTender;
  touch(id: string): void;
}

const NO_ANSWER: ServiceAnswer = { status: 0, body: {}, description: 'no answer' };
const done = (data: unknown, more: JsonObject = {}): ServiceAnswer => ({
  status: 200,
  body: { data, ...more },
  description: '',
});
const refused = (status: number, description: string): ServiceAnswer => ({ status, body: {}, description });

/** The address of an auction that begins in an hour, with the bids 469 and 479. */
export function fakeTenders(now: () => Instant): FakeTenders {
  const tenders = new Map<string, FakeTender>();
  const feed: string[] = [];
  const changes: (ServiceRequest & { readonly status: number })[] = [];
  const fake: FakeTenders = {
    changes,
    fault: undefined,
    publish(given) {
      const tender: FakeTender = {
        status: 'active.auction',
        auctionPeriod: { startDate: formatLocalDate(addMicros(now(), 3_600 * SECOND)) },
        bids: [469, 479].map((amount, n) => ({
          id: `a${n}`.repeat(16),
          date: `2026-11-1${n}T10:00:00+02:00`,
          value: { amount, currency: 'UAH' },
        })),
        documents: [],
        ahead: 0,
        ...given,
      };
      tenders.set(tender.id, tender);
      feed.push(tender.id);
      return tender;
    },
    touch: (id) => void feed.push(id),
    async send(request) {
      const given = await fake.fault?.(request);
      if (given !== undefined && given !== 'lost') return given;
      const answer = request.path.startsWith('/tenders?') ? feedPage(request.path) : answerTo(request);
      if (request.method !== 'GET') changes.push({ ...request, status: answer.status });
      return given === 'lost' ? NO_ANSWER : answer;
    },
    async upload(name) {
      const given = await fake.fault?.({ method: 'POST', path: '/upload' });
      return given === undefined || given === 'lost' ? done({ url: `file:${name}` }) : given;
    },
  };

  function feedPage(path: string): ServiceAnswer {
    const offset = Number(new URLSearchParams(path.slice(path.indexOf('?'))).get('offset'));
    // The room begins 60 days ago, in seconds: no position here is that large.
    const ids = new Set(feed.slice(offset > feed.length ? 0 : offset));
    const data = [...ids].map((id) => ({ id, status: tenders.get(id)?.status }));
    return done(data, { next_page: { offset: String(feed.length) } });
  }

  function answerTo({ method, path, data }: ServiceRequest): ServiceAnswer {
    const [, sandbox, id = '', rest = ''] = /^(\/sandbox)?\/tenders\/([0-9a-f]+)(.*)$/.exec(path) ?? [];
    const tender = tenders.get(id);
    if (tender === undefined) return refused(404, 'Not Found');
    if (sandbox !== undefined) return moveClock(tender, data);
    if (rest === '') return done(publicPart(tender));
    if (rest.startsWith('/documents')) return registered(tender, rest, data);
    if (tender.status !== 'active.auction') return refused(403, REFUSALS[method].replace('S', tender.status));
    if (method === 'GET') return done(tender);
    return method === 'PATCH' ? addressed(tender, data) : reported(tender, data);
  }
  return fake;
}

const REFUSALS: Readonly<Record<ServiceRequest['method'], string>> = {
  GET: "Can't get auction info in current (S) tender status",
  PATCH: "Can't update auction urls in current (S) tender status",
  POST: "Can't report auction results in current (S) tender status",
  PUT: "Can't update document in current (S) tender status",
};

function moveClock(tender: FakeTender, data: JsonObject | undefined): ServiceAnswer {
  const { advance } = data ?? {};
  const seconds = typeof advance === 'string' ? Number(/^PT([\d.]+)S$/.exec(advance)?.[1]) : 0;
  tender.ahead += Math.round(seconds * SECOND);
  return done({ ahead: `PT${tender.ahead / SECOND}S` });
}

/** Bids are public once the auction is over. */
function publicPart(tender: FakeTender): JsonObject {
  const { id, status, documents, bids } = tender;
  const shown = bids.map((bid) => ({ ...bid, tenderers: [{ name: `Name ${bid.id}` }] }));
  const isOpen = status === 'active.qualification';
  return { id, tenderID: 'UA-2026-11-22-000001-a', status, documents, ...(isOpen ? { bids: shown } : {}) };
}

function registered(tender: FakeTender, path: string, data: JsonObject = {}): ServiceAnswer {
  const replaced = path.split('/')[2];
  const id = replaced ?? 'd'.repeat(32);
  if (replaced === undefined) tender.documents.push({ id, title: String(data['title']) });
  return done({ id });
}

interface Addresses {
  readonly auctionUrl?: string;
  readonly lots?: readonly { readonly id: string; readonly auctionUrl?: string }[];
  readonly bids: readonly { readonly id: string; readonly participationUrl?: string }[];
}

function addressed(tender: FakeTender, data: JsonObject | undefined): ServiceAnswer {
  // Safe cast: the room sends what its schema test proves.
  const { auctionUrl, lots = [], bids } = data as unknown as Addresses;
  if (auctionUrl !== undefined) tender.auctionUrl = auctionUrl;
  for (const { id, auctionUrl: address } of lots) {
    const lot = tender.lots?.find((one) => one.id === id);
    if (lot !== undefined && address !== undefined) lot.auctionUrl = address;
  }
  for (const { id, participationUrl } of bids) {
    const bid = tender.bids.find((one) => one.id === id);
    if (bid !== undefined && participationUrl !== undefined) bid.participationUrl = participationUrl;
  }
  return done(tender);
}

function reported(tender: FakeTender, data: JsonObject | undefined): ServiceAnswer {
  // Safe cast, as above.
  const { bids } = data as unknown as { readonly bids: readonly { id: string; value?: { amount: number } }[] };
  for (const { id, value } of bids) {
    const bid = tender.bids.find((one) => one.id === id);
    if (bid?.value !== undefined && value !== undefined) bid.value.amount = value.amount;
  }
  tender.status = 'active.qualification';
  return done(tender);
}
