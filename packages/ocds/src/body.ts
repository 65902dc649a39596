import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { mapAwards } from './awards.ts';
import { mapBids } from './bids.ts';
import { mapContracts } from './contracts.ts';
import { mapItems } from './items.ts';
import { isOpened } from './opening.ts';
import { collectParties } from './parties.ts';
import type { PublicTender } from './public-tender.ts';
import type { OcdsSettings } from './settings.ts';
import { mapQuestions, mapTender } from './tender.ts';
import { compact, identified, asObject, asObjects, text } from './values.ts';

/** A release without `id`, `date` and `tag`: a function of the public tender and the settings only (ocds.md 2). */
export function mapBody(tender: PublicTender, settings: OcdsSettings): JsonObject {
  const parties = collectParties(settings.contactPoints);
  const tenderUrl = `${settings.publicBaseUrl}/api/2.5/tenders/${encodeURIComponent(tender.id)}`;
  // The order of these calls decides which occurrence of an organization supplies its details (ocds.md 2.2).
  const procuringEntity = parties.refer(tender['procuringEntity'], 'buyer', 'procuringEntity');
  const bids = isOpened(tender) ? mapBids(tender, tenderUrl, parties) : undefined;
  const enquiries = mapQuestions(tender['questions'], parties);
  const items = mapItems(tender['items']);
  const awards = mapAwards(tender['awards'], { tenderUrl, parties, items, isOpened: bids !== undefined });
  const contracts = mapContracts(tender['contracts'], {
    tenderUrl,
    parties,
    buyer: asObject(tender['procuringEntity']),
    suppliersByName: suppliersByName(tender['awards']),
  });
  const section = mapTender(tender, { tenderUrl, procuringEntity, items, enquiries, tenderers: bids?.tenderers });
  return compact({
    ocid: ocidOf(tender.tenderID, settings),
    initiationType: 'tender',
    language: settings.language,
    parties: parties.list(),
    buyer: procuringEntity,
    tender: section,
    bids: bids?.section,
    awards,
    contracts,
  });
}

function suppliersByName(awards: unknown): ReadonlyMap<string, JsonObject> {
  const byName = new Map<string, JsonObject>();
  for (const { suppliers } of identified(awards))
    for (const supplier of asObjects(suppliers)) {
      const name = text(supplier['name']);
      if (name !== undefined && !byName.has(name)) byName.set(name, supplier);
    }
  return byName;
}

/** One for each tender, the same in every segment (ocds.md 1.2). */
export function ocidOf(tenderID: string, settings: Pick<OcdsSettings, 'ocidPrefix'>): string {
  return `${settings.ocidPrefix}-${tenderID}`;
}
