import { isDeepStrictEqual } from 'node:util';
import type { FeedItem, FeedOptions, ProcurementClient } from '@procurement/client';
import type { Json } from '../../support/broker.ts';
import type { Ledger } from './ledger.ts';

/** Compares what clients read with the ledger. Returns one sentence for each write that is lost, doubled or changed. */
export async function auditLedger(ledger: Ledger, anyone: ProcurementClient): Promise<readonly string[]> {
  const tenders = new Map<string, Json>();
  for (const id of ledger.created.get('/tenders')?.acknowledged ?? []) tenders.set(id, await anyone.tender(id).get());
  const contracts = new Map<string, Json>();
  for (const id of contractsIn(ledger)) contracts.set(id, await anyone.contract(id).get());
  const views = { tenders, contracts };
  return [
    ...missingMembers(ledger, views),
    ...wrongCollections(ledger, views),
    ...(await wrongFeed((options) => anyone.feed(options), tenders)),
    ...(await wrongFeed((options) => anyone.contracts.feed(options), contracts)),
    ...(await disagreements(anyone, views)),
  ];
}

/** What everybody reads of each object, by its id. */
type Shown = ReadonlyMap<string, Json>;
type Views = Readonly<Record<'tenders' | 'contracts', Shown>>;

/** The ids of contracts that were written at their own addresses. */
export function contractsIn({ expected, created }: Ledger): ReadonlySet<string> {
  const paths = [...expected.keys(), ...created.keys()];
  return new Set(paths.flatMap((path) => /^\/contracts\/(\w+)/.exec(path)?.[1] ?? []));
}

/** The object at a path, in the view of its tender or of its contract. */
function objectAt(views: Views, path: string): Json {
  const [, root, id = '', ...rest] = path.split('/');
  let object = views[root === 'contracts' ? 'contracts' : 'tenders'].get(id);
  for (let n = 0; n < rest.length && object !== undefined; n += 2) {
    const name = rest[n] ?? '';
    const list: readonly Json[] = (name === 'transactions' ? object.implementation : object)?.[name] ?? [];
    object = rest[n + 1] === undefined ? list : list.find((one) => one.id === rest[n + 1]);
  }
  return object;
}

const STATUSES_WITH_BIDS: ReadonlySet<string> = new Set(['active.qualification', 'active.awarded', 'complete']);

/** Bids are sealed before qualification, and erased with a cancelled tender (bids-awards-auction.md 6.5): nobody reads them then. */
function isHidden({ tenders }: Views, path: string): boolean {
  const [, , tenderId = '', kind] = path.split('/');
  return kind === 'bids' && !STATUSES_WITH_BIDS.has(tenders.get(tenderId)?.status);
}

/** Whether a member is as it was sent; of an amount the service may show more. */
function shows(shown: Json, sent: Json): boolean {
  if (typeof sent !== 'object') return shown === sent;
  return Object.entries(sent).every(([name, value]) => shown?.[name] === value);
}

function missingMembers({ expected }: Ledger, views: Views): readonly string[] {
  return [...expected].flatMap(([path, members]) => {
    if (isHidden(views, path)) return [];
    const object = objectAt(views, path);
    if (object === undefined) return [`${path} was acknowledged and is not there`];
    return Object.entries(members)
      .filter(([name, value]) => !shows(object[name], value))
      .map(
        ([name, value]) =>
          `${path} has ${name} ${JSON.stringify(object[name])}, acknowledged was ${JSON.stringify(value)}`,
      );
  });
}

function wrongCollections({ created }: Ledger, views: Views): readonly string[] {
  return [...created].flatMap(([path, { sent, acknowledged }]) => {
    if (path === '/tenders' || isHidden(views, path)) return [];
    const ids: readonly string[] = (objectAt(views, path) ?? []).map(({ id }: Json) => id);
    // Each version of a document is an element with the same id; these documents have one version.
    const unique = new Set(ids);
    const problems = ids.length === unique.size ? [] : [`${path} has an object twice: ${ids.join(' ')}`];
    return unique.size > sent.size
      ? [
          ...problems,
          `${path} has ${unique.size} objects, and ${sent.size} were sent (${acknowledged.size} acknowledged)`,
        ]
      : problems;
  });
}

/** A feed, read from its beginning, has every object once, at the position of its last change. */
async function wrongFeed(
  feed: (options: FeedOptions) => AsyncIterable<FeedItem>,
  shown: Shown,
): Promise<readonly string[]> {
  const positions = new Map<string, string[]>();
  for await (const { entry } of feed({ mode: '_all_', pageSize: 100 })) {
    positions.set(entry.id, [...(positions.get(entry.id) ?? []), entry.dateModified]);
  }
  return [...shown].flatMap(([id, { dateModified }]) => {
    const found = positions.get(id) ?? [];
    return found.length === 1 && found[0] === dateModified
      ? []
      : [`the feed has ${id} at ${found.join(', ') || 'no position'}, its last change is ${dateModified}`];
  });
}

/** What the resource of a contract has of its own, or shows under another name than its tender. */
const OWN_MEMBERS = ['tender_id', 'owner', 'mode', 'procuringEntity', 'buyer', 'dateModified'];

/** Each contract is the same at its own address, in its tender, and in the newest revision of its tender in the register. */
async function disagreements(anyone: ProcurementClient, { tenders, contracts }: Views): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [id, contract] of contracts) {
    const tender = tenders.get(contract.tender_id);
    const inTender = tender?.contracts?.find((one: Json) => one.id === id);
    const own = Object.fromEntries(Object.entries(contract).filter(([name]) => !OWN_MEMBERS.includes(name)));
    if (inTender === undefined || !isDeepStrictEqual(own, laidOver(inTender)))
      problems.push(`contract ${id} is ${JSON.stringify(own)}, and in its tender ${JSON.stringify(inTender)}`);
    const registered = (await anyone.tender(contract.tender_id).history.at(tender?.dateModified)).data.contracts;
    if (!isDeepStrictEqual(registered, tender?.contracts))
      problems.push(`contract ${id} is in the register ${JSON.stringify(registered)}, and in its tender otherwise`);
  }
  return problems;
}

/** The contract of a tender as it is now: what followed its signature laid over what was signed (contracting.md 2.3). */
function laidOver({ implementation, ...signed }: Json): Json {
  const { transactions, ...followed } = implementation ?? {};
  return { ...signed, ...followed, ...(transactions === undefined ? {} : { implementation: { transactions } }) };
}
