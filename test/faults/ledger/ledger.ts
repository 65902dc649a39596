import type { Fetch } from './clients.ts';
import type { Json } from '../../support/broker.ts';

interface Created {
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
}

/** What was written, and what must therefore be there at the end. */
export interface Ledger {
  /** Sends by the gateways in turns, and records what was sent and what was acknowledged. */
  readonly fetch: Fetch;
  /** Members that were acknowledged last, by the path of their object below the segment: `/tenders/<id>/questions/<id>`, `/contracts/<id>`. */
  readonly expected: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Keys of the creations that were sent, and ids of those that were acknowledged, by collection. */
  readonly created: ReadonlyMap<string, Created>;
  readonly counts: { sent: number; acknowledged: number; refused: number; unanswered: number };
  /** The latest failure of each request that has not succeeded since: what a procedure that stands still waits for. */
  readonly failing: ReadonlyMap<string, string>;
}

const COLLECTION =
  /^\/tenders$|^\/(tenders|contracts)\/.*\/(questions|complaints|cancellations|bids|documents|changes)$/;
/** A client names its payments itself. */
const PAYMENT = /^(\/contracts\/\w+\/transactions)\/(\w+)$/;
/** Documents of a contract are one collection with two addresses (contracting.md 6). */
const DOCUMENTS_IN_TENDER = /^\/tenders\/\w+(?=\/contracts\/\w+\/documents)/;
/** Members that later steps of a procedure change, so that the ledger does not expect them. */
const CHANGING_MEMBERS: ReadonlySet<string> = new Set(['status', 'auctionUrl']);
/** Amounts of a contract. A tender shows more in its amounts than was sent. */
const AMOUNTS: ReadonlySet<string> = new Set(['value', 'amountPaid']);

const FAILURE_LENGTH_MAX = 300;

export function openLedger(gateways: readonly string[]): Ledger {
  const expected = new Map<string, Record<string, unknown>>();
  const created = new Map<string, Created>();
  const counts = { sent: 0, acknowledged: 0, refused: 0, unanswered: 0 };
  const failing = new Map<string, string>();
  let turn = 0;

  function collectionAt(path: string): Created {
    const collection = created.get(path) ?? { sent: new Set(), acknowledged: new Set() };
    created.set(path, collection);
    return collection;
  }

  function begin({ method, path, key, members }: Write): void {
    counts.sent += 1;
    if (method === 'POST' && COLLECTION.test(path)) {
      collectionAt(path).sent.add(key);
      return;
    }
    const [, payments, payment] = PAYMENT.exec(path) ?? [];
    if (payments !== undefined && payment !== undefined) collectionAt(payments).sent.add(payment);
    // Until the answer the object may have the members before or after the change.
    const known = expected.get(path);
    if (known !== undefined) for (const name of Object.keys(members)) delete known[name];
  }

  function acknowledge({ method, path, members }: Write, data: Json): void {
    counts.acknowledged += 1;
    if (method === 'POST') {
      if (!COLLECTION.test(path)) return;
      created.get(path)?.acknowledged.add(data.id);
      expected.set(`${path}/${data.id}`, { ...members });
      return;
    }
    expected.set(path, { ...expected.get(path), ...members });
  }

  async function send(address: string, init: RequestInit): Promise<Response> {
    const name = `${init.method} ${new URL(address).pathname}`;
    try {
      const response = await fetch(address, init);
      if (response.ok) failing.delete(name);
      else failing.set(name, `${response.status} ${(await response.clone().text()).slice(0, FAILURE_LENGTH_MAX)}`);
      return response;
    } catch (error) {
      failing.set(name, String(error));
      throw error;
    }
  }

  return {
    expected,
    created,
    counts,
    failing,
    async fetch(address, init) {
      const { pathname, search } = new URL(address);
      turn += 1;
      const gateway = gateways[turn % gateways.length] ?? '';
      if (init.method === 'GET') return send(gateway + pathname + search, init);
      const write = buildWrite(pathname, init);
      begin(write);
      let text: string;
      let response: Response;
      try {
        response = await send(gateway + pathname + search, init);
        text = await response.text();
      } catch (error) {
        counts.unanswered += 1;
        throw error;
      }
      if (response.ok) acknowledge(write, JSON.parse(text).data);
      else counts.refused += 1;
      return new Response(text, { status: response.status, headers: response.headers });
    },
  };
}

interface Write {
  readonly method: string;
  /** Path below the segment. */
  readonly path: string;
  readonly key: string;
  /** Members of the body that nothing else changes: texts, and amounts of a contract. */
  readonly members: Readonly<Record<string, unknown>>;
}

function buildWrite(pathname: string, { method = '', headers, body }: RequestInit): Write {
  const data: Json = typeof body === 'string' ? JSON.parse(body).data : {};
  const path = pathname.replace(/^\/api\/[\d.]+/, '').replace(DOCUMENTS_IN_TENDER, '');
  // The service marks the titles of test tenders.
  const isKept = (name: string): boolean => !CHANGING_MEMBERS.has(name) && (path !== '/tenders' || name !== 'title');
  const isCompared = (name: string, value: unknown): boolean =>
    typeof value === 'string' || (path.startsWith('/contracts/') && AMOUNTS.has(name));
  const members = Object.entries(data).filter(([name, value]) => isCompared(name, value) && isKept(name));
  return {
    method,
    path,
    key: new Headers(headers).get('idempotency-key') ?? '',
    members: Object.fromEntries(members),
  };
}
