import { broker, clientFrom, until, type Broker, type Json } from './broker.ts';
import { fileUpload } from './file-upload.ts';

/** What the two generations of components in the field send (bids-awards-auction.md 2.1). */
export type ComponentGeneration = 'old' | 'new';

/** What a bidder posts in its turn of a round (0 to 2), in this order; -1 withdraws. By the place of its bid in the tender. */
export type Offers = (place: number, round: number) => readonly number[];

/** A tender and its lot, if the auction is that of a lot. */
export interface AuctionPlace {
  readonly id: string;
  readonly lot?: string;
}

/** An auction that the component has read and whose addresses are published. */
export interface PlannedAuction {
  readonly auctionId: string;
  /** Holds it and reports the results. Throws when a call is refused. */
  hold(offers: Offers): Promise<void>;
}

interface Entry {
  readonly place: number;
  amount: number;
  date: string;
  readonly step: number;
}

const ROUNDS = 3;

/**
 * An auction component that is not the room of this repository, and shares no code with it: it makes the calls of
 * bids-awards-auction.md 2.1 in their order, in the bodies of that table, and holds auctions without features in its memory.
 */
export function auctionComponent(gatewayUrl: string, generation: ComponentGeneration) {
  const anyone = broker(gatewayUrl, undefined, '2.5');
  const auction = generation === 'old' ? broker(gatewayUrl, 'auction', '2.5') : bearer(gatewayUrl, 'auction');
  const expectDone = ({ status, text }: { status: number; text: string }, call: string): void => {
    if (status !== 200 && status !== 201) throw new Error(`${call}: ${status} ${text}`);
  };

  /** Call 1: pages of the feed until the tender is in its auction. */
  async function findInFeed(id: string): Promise<void> {
    const fields = 'feed=changes&mode=_all_&opt_fields=status,auctionPeriod,lots,procurementMethodType&limit=1000';
    let offset = '';
    await until('the tender in the feed', async () => {
      const { status, body } = await anyone.get(`/tenders?${fields}${offset}`);
      if (status !== 200) return false;
      offset = `&offset=${encodeURIComponent(body.next_page.offset)}`;
      return body.data.some((row: Json) => row.id === id && row.status === 'active.auction');
    });
  }

  async function readRecord(path: string): Promise<Json> {
    const answer = await auction.get(`${path}/auction`);
    expectDone(answer, 'GET auction');
    return answer.body.data;
  }

  return {
    /** Calls 1 to 4: finds the tender, reads it and publishes addresses. */
    async plan({ id, lot }: AuctionPlace): Promise<PlannedAuction> {
      const path = `/tenders/${id}`;
      const auctionId = lot === undefined ? id : `${id}_${lot}`;
      const url = `https://other.example.org/tenders/${auctionId}`;
      await findInFeed(id);
      expectDone(await anyone.get(path), 'GET tender');
      const body = addressesIn(generation, await readRecord(path), url, lot);
      const endpoint = lot === undefined ? `${path}/auction` : `${path}/auction/${lot}`;
      expectDone(await auction.patch(endpoint, body), 'PATCH auction');
      return {
        auctionId,
        async hold(offers) {
          // Call 5: opening amounts.
          const record = await readRecord(path);
          const results = play(record, lot, offers);
          const title = `audit_${auctionId}.yaml`;
          const document = await publishAudit(path, title, results, lot);
          const reported = await auction.post(endpoint, resultsIn(generation, record, results, lot));
          expectDone(reported, 'POST auction');
          if (generation === 'old') {
            // Call 8: the identities that the answer shows, of lots once all auctions are over.
            const names = reported.body.data.bids?.map((bid: Json) => bid.tenderers[0].name) ?? [];
            const again = fileUpload(title, 'application/yaml', audit(auctionId, results, names));
            expectDone(await auction.request('PUT', `${path}/documents/${document}`, again), 'PUT document');
          }
        },
      };
    },
  };

  /** Call 6. Answers the id of the document. */
  async function publishAudit(path: string, title: string, results: readonly Entry[], lot?: string): Promise<string> {
    const file = fileUpload(title, 'application/yaml', audit(title, results, []));
    if (generation === 'old') {
      const made = await auction.request('POST', `${path}/documents`, file);
      expectDone(made, 'POST document');
      return made.body.data.id;
    }
    const authorization = 'Bearer auction';
    const uploaded = await fetch(`${gatewayUrl}/upload`, {
      method: 'POST',
      headers: { authorization, ...file.headers },
      body: file.raw as string,
    });
    if (!uploaded.ok) throw new Error(`POST upload: ${uploaded.status} ${await uploaded.text()}`);
    const { data } = (await uploaded.json()) as Json;
    const place = lot === undefined ? {} : { documentOf: 'lot', relatedItem: lot };
    const made = await auction.post(`${path}/documents`, { ...data, ...place });
    expectDone(made, 'POST document');
    return made.body.data.id;
  }
}

function bearer(gatewayUrl: string, key: string): Broker {
  const plain = broker(gatewayUrl, undefined, '2.5');
  return clientFrom(async (method, path, options = {}) =>
    plain.request(method, path, { ...options, headers: { authorization: `Bearer ${key}`, ...options.headers } }),
  );
}

/** Old: arrays as read, with the addresses in them. New: the addresses by position. */
function addressesIn(generation: ComponentGeneration, record: Json, url: string, lot: string | undefined): Json {
  const toLink = ({ id }: Json): Json => ({ participationUrl: `${url}/login?bidder_id=${id}&hash=0` });
  const ofLot = (one: Json): boolean => (one.relatedLot ?? one.id) === lot;
  const isOld = generation === 'old';
  if (lot === undefined) {
    return {
      auctionUrl: url,
      bids: record.bids.map((bid: Json) => (isOld ? { id: bid.id, ...toLink(bid) } : toLink(bid))),
    };
  }
  const lots = record.lots.map((one: Json) => ({ ...(isOld ? one : {}), ...(ofLot(one) ? { auctionUrl: url } : {}) }));
  const bids = record.bids.map((bid: Json) => {
    const lotValues = bid.lotValues.map((one: Json) => ({ ...(isOld ? one : {}), ...(ofLot(one) ? toLink(bid) : {}) }));
    return { ...(isOld ? bid : {}), lotValues };
  });
  return { lots, bids };
}

/** Old: all bids as read with new amounts and dates. New: these by position. */
function resultsIn(
  generation: ComponentGeneration,
  record: Json,
  results: readonly Entry[],
  lot: string | undefined,
): Json {
  const isOld = generation === 'old';
  const newPrice = (place: number, { value }: Json): Json => {
    const { amount, date } = results.find((one) => one.place === place) ?? {};
    if (amount === undefined) return {};
    return { date, value: { ...(isOld ? value : {}), amount } };
  };
  const bids = record.bids.map((bid: Json, place: number) => {
    if (lot === undefined) return { ...(isOld ? bid : {}), ...newPrice(place, bid) };
    const lotValues = bid.lotValues.map((one: Json) => ({
      ...(isOld ? one : {}),
      ...(one.relatedLot === lot ? newPrice(place, one) : {}),
    }));
    return { ...(isOld ? bid : {}), lotValues };
  });
  return { bids };
}

/** Three rounds, each in the order of its begin: worse first, of equal amounts the later one (bids-awards-auction.md 2.11). */
function play(record: Json, lot: string | undefined, offers: Offers): readonly Entry[] {
  const step: number = lot === undefined ? record.minimalStep.amount : stepOfLot(record, lot);
  const entries: Entry[] = record.bids.flatMap((bid: Json, place: number) => {
    const price = lot === undefined ? bid : bid.lotValues.find((one: Json) => one.relatedLot === lot);
    return price === undefined ? [] : [{ place, amount: price.value.amount, date: price.date, step }];
  });
  let atMs = Date.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const entry of worstFirst(entries)) {
      const posted = takeTurn(entry, offers(entry.place, round), () => new Date((atMs += 1_000)).toISOString());
      if (posted !== undefined) Object.assign(entry, posted);
    }
  }
  return worstFirst(entries);
}

function stepOfLot(record: Json, lot: string): number {
  return record.lots.find(({ id }: Json) => id === lot).minimalStep.amount;
}

function worstFirst(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => b.amount - a.amount || Date.parse(b.date) - Date.parse(a.date));
}

/** What stands at the end of a turn: the last amount that was allowed, unless it was withdrawn. */
function takeTurn(
  entry: Entry,
  amounts: readonly number[],
  now: () => string,
): Pick<Entry, 'amount' | 'date'> | undefined {
  let posted: Pick<Entry, 'amount' | 'date'> | undefined;
  for (const amount of amounts) {
    if (amount === -1) posted = undefined;
    else if (amount > 0 && amount <= entry.amount - entry.step) posted = { amount, date: now() };
  }
  return posted;
}

function audit(id: string, results: readonly Entry[], names: readonly string[]): string {
  return JSON.stringify({ id, results, names });
}
