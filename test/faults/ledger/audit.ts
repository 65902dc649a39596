import type { ProcurementClient } from '@procurement/client';
import type { Json } from '../../support/broker.ts';
import type { Ledger } from './ledger.ts';

/** Compares what clients read with the ledger. Returns one sentence for each write that is lost, doubled or changed. */
export async function auditLedger(ledger: Ledger, anyone: ProcurementClient): Promise<readonly string[]> {
  const views = new Map<string, Json>();
  for (const id of ledger.created.get('/tenders')?.acknowledged ?? []) views.set(id, await anyone.tender(id).get());
  return [...missingMembers(ledger, views), ...wrongCollections(ledger, views), ...(await wrongFeed(anyone, views))];
}

type Views = ReadonlyMap<string, Json>;

/** The object at a path below `/tenders`, in the view of its tender. */
function objectAt(views: Views, path: string): Json {
  const [, , tenderId = '', ...rest] = path.split('/');
  let object = views.get(tenderId);
  for (let n = 0; n < rest.length && object !== undefined; n += 2) {
    const list: readonly Json[] = object[rest[n] ?? ''] ?? [];
    object = rest[n + 1] === undefined ? list : list.find(({ id }) => id === rest[n + 1]);
  }
  return object;
}

const STATUSES_WITH_BIDS: ReadonlySet<string> = new Set(['active.qualification', 'active.awarded', 'complete']);

/** Bids are sealed before qualification, and erased with a cancelled tender (bids-awards-auction.md 6.5): nobody reads them then. */
function isHidden(views: Views, path: string): boolean {
  const [, , tenderId = '', kind] = path.split('/');
  return kind === 'bids' && !STATUSES_WITH_BIDS.has(views.get(tenderId)?.status);
}

function missingMembers({ expected }: Ledger, views: Views): readonly string[] {
  return [...expected].flatMap(([path, members]) => {
    if (isHidden(views, path)) return [];
    const object = objectAt(views, path);
    if (object === undefined) return [`${path} was acknowledged and is not there`];
    return Object.entries(members)
      .filter(([name, value]) => object[name] !== value)
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

/** The feed, read from its beginning, has every tender once, at the position of its last change. */
async function wrongFeed(anyone: ProcurementClient, views: Views): Promise<readonly string[]> {
  const positions = new Map<string, string[]>();
  for await (const { entry } of anyone.feed({ mode: '_all_', pageSize: 100 })) {
    positions.set(entry.id, [...(positions.get(entry.id) ?? []), entry.dateModified]);
  }
  return [...views].flatMap(([id, { dateModified }]) => {
    const found = positions.get(id) ?? [];
    return found.length === 1 && found[0] === dateModified
      ? []
      : [`the feed has ${id} at ${found.join(', ') || 'no position'}, its last change is ${dateModified}`];
  });
}
