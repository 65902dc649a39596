import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../support/broker.ts';

/** A tender in its auction. */
export interface BenchTender {
  readonly id: string;
  readonly startDate: string;
  readonly bids: readonly { readonly id: string; readonly date: string; readonly value: Json }[];
  /** Links by the id of the bid, once they are published. */
  links: Readonly<Record<string, string>>;
  /** When the first links came, in milliseconds of this process. */
  linkedAtMs?: number;
  /** Reports of results. */
  reports: number;
}

/** What an auction component needs of a tender service, so that the benchmark measures the component alone. */
export interface FakeGateway {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startFakeGateway(tenders: ReadonlyMap<string, BenchTender>): Promise<FakeGateway> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { status = 200, ...answer } = answerTo(request, body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on TCP.
  const { port } = server.address() as AddressInfo;

  function answerTo({ method = '', url = '' }: IncomingMessage, body: Json): Json {
    const [, path = '', id = '', rest = ''] =
      /^\/(?:api\/2\.5\/)?(upload|sandbox\/tenders|tenders)\/?([0-9a-f]*)([^?]*)/.exec(url) ?? [];
    if (path === 'upload') return { data: { url: 'file' } };
    if (path === 'sandbox/tenders') return { data: { ahead: 'PT0S' } };
    if (id === '') return feed(url);
    const tender = tenders.get(id);
    if (tender === undefined) return { status: 404 };
    if (rest.startsWith('/documents')) return { data: { id: 'd'.repeat(32) } };
    if (method === 'PATCH') {
      tender.links = Object.fromEntries(body.data.bids.map((bid: Json) => [bid.id, bid.participationUrl]));
      tender.linkedAtMs ??= performance.now();
    } else if (method === 'POST') tender.reports += 1;
    return { data: shown(tender) };
  }

  function feed(url: string): Json {
    const offset = Number(new URL(url, 'http://gateway').searchParams.get('offset'));
    // A reader begins 60 days ago, in seconds: more than there are tenders.
    const ids = [...tenders.keys()].slice(offset > tenders.size ? 0 : offset);
    const data = ids.map((id) => ({ id, status: 'active.auction' }));
    return { data, next_page: { offset: String(tenders.size) } };
  }
  return { url: `http://127.0.0.1:${port}`, stop: async () => stop(server) };
}

function shown({ id, startDate, bids, links, reports }: BenchTender): Json {
  const isOver = reports > 0;
  return {
    id,
    tenderID: `UA-${id.slice(0, 8)}`,
    status: isOver ? 'active.qualification' : 'active.auction',
    procurementMethodDetails: 'quick, accelerator=1440',
    minimalStep: { amount: 1, currency: 'UAH' },
    auctionPeriod: { startDate },
    bids: bids.map((bid) => ({ ...bid, participationUrl: links[bid.id], tenderers: [{ name: 'Name' }] })),
  };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text.startsWith('{') ? JSON.parse(text) : {};
}

async function stop(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
