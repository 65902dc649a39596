import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { bidStatus, UNPUBLISHED_BIDS } from './codes.ts';
import { mapDocuments } from './documents.ts';
import { featuresByLot, requirementId } from './features.ts';
import type { Parties } from './parties.ts';
import { compact, identified, idText, money, asNumber, asObject, asObjects, timestamp, uniqueById } from './values.ts';

/** The section `bids` of a tender whose bids are opened (ocds.md 2.9). */
export interface MappedBids {
  readonly section: JsonObject;
  /** References to all bidders, each once. */
  readonly tenderers: readonly JsonObject[];
}

export function mapBids(tender: JsonObject, tenderUrl: string, parties: Parties): MappedBids {
  const lotIds = identified(tender['lots']).map(({ id }) => String(idText(id)));
  const applicable = featuresByLot(tender, lotIds);
  const details = uniqueById(
    identified(tender['bids'])
      .filter(({ status }) => !UNPUBLISHED_BIDS.has(status))
      .flatMap((bid) => {
        const shared = { bid, parties, tenderUrl };
        return lotIds.length === 0 ? [bidEntry(shared)] : lotEntries(shared, applicable);
      }),
  );
  const section = compact({ statistics: uniqueById(allStatistics(details, lotIds)), details });
  return { section, tenderers: uniqueById(details.flatMap((entry) => asObjects(entry['tenderers']))) };
}

/** What all entries of one bid share. */
interface Bid {
  readonly bid: JsonObject;
  readonly parties: Parties;
  readonly tenderUrl: string;
}

function bidEntry(of: Bid): JsonObject {
  const { bid } = of;
  const id = String(idText(bid['id']));
  return entry(of, {
    id,
    date: bid['date'],
    value: bid['value'],
    responses: responses(id, asObjects(bid['parameters'])),
  });
}

/** One entry for each lot of the bid, with the parameters that apply to the lot. */
function lotEntries(of: Bid, applicable: ReadonlyMap<string, ReadonlySet<string | undefined>>): readonly JsonObject[] {
  const { bid } = of;
  return asObjects(bid['lotValues']).flatMap((lotValue) => {
    const lotId = idText(lotValue['relatedLot']);
    const features = lotId === undefined ? undefined : applicable.get(lotId);
    if (features === undefined) return [];
    const id = lotBidId(idText(bid['id']), lotId);
    const parameters = asObjects(bid['parameters']).filter(({ code }) => features.has(idText(code)));
    const date = timestamp(lotValue['date']) ?? bid['date'];
    return [entry(of, { id, date, value: lotValue['value'], lotId, responses: responses(id, parameters) })];
  });
}

interface EntryParts {
  readonly id: string;
  readonly date: unknown;
  readonly value: unknown;
  readonly lotId?: string | undefined;
  readonly responses: readonly JsonObject[];
}

function entry({ bid, parties, tenderUrl }: Bid, { id, date, value, lotId, responses }: EntryParts): JsonObject {
  return compact({
    id,
    date: timestamp(date),
    status: bidStatus(bid['status']),
    tenderers: parties.referAll(bid['tenderers'], 'tenderer'),
    documents: mapDocuments(bid['documents'], { place: 'bid', tenderUrl, parentId: bid['id'] }),
    value: money(value),
    relatedLots: lotId === undefined ? undefined : [lotId],
    requirementResponses: responses,
  });
}

/** Id of the entry of a bid: with lots, one for each lot (ocds.md 1.2). */
export function lotBidId(bidId: string | undefined, lotId: string | undefined): string {
  return lotId === undefined ? String(bidId) : `${bidId}-${lotId}`;
}

function responses(bidId: string, parameters: readonly JsonObject[]): readonly JsonObject[] {
  return uniqueById(
    parameters.flatMap(({ code, value }) => {
      const feature = idText(code);
      const id = feature === undefined ? undefined : requirementId(feature, value);
      return id === undefined ? [] : [{ id: `${bidId}-${feature}`, value, requirement: { id } }];
    }),
  );
}

/** Statistics of all entries, or of those of each lot. */
function allStatistics(all: readonly JsonObject[], lotIds: readonly string[]): readonly JsonObject[] {
  if (lotIds.length === 0) return statistics(all, undefined);
  const byLot = new Map<unknown, JsonObject[]>(lotIds.map((lotId) => [lotId, []]));
  for (const one of all) if (Array.isArray(one['relatedLots'])) byLot.get(one['relatedLots'][0])?.push(one);
  return lotIds.flatMap((lotId) => statistics(byLot.get(lotId) ?? [], lotId));
}

function statistics(entries: readonly JsonObject[], lotId: string | undefined): readonly JsonObject[] {
  const valid = entries.filter(({ status }) => status === 'valid');
  const bidders = new Set(entries.flatMap(({ tenderers }) => asObjects(tenderers).map(({ id }) => id)));
  const values = valid
    .map(({ value }) => asObject(value))
    .filter(({ amount }) => asNumber(amount) !== undefined)
    .toSorted((a, b) => Number(a['amount']) - Number(b['amount']));
  const measures: readonly (readonly [string, unknown, unknown?])[] = [
    ['bids', entries.length],
    ['validBids', valid.length],
    ['bidders', bidders.size],
    ['lowestValidBidValue', values[0]?.['amount'], values[0]?.['currency']],
    ['highestValidBidValue', values.at(-1)?.['amount'], values.at(-1)?.['currency']],
  ];
  return measures
    .filter(([, value]) => value !== undefined)
    .map(([measure, value, currency]) =>
      compact({ id: lotBidId(measure, lotId), measure, value, currency, relatedLot: lotId }),
    );
}
