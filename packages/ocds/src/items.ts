import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { isUnclassified } from './codes.ts';
import {
  address,
  compact,
  identified,
  idText,
  money,
  multilingual,
  asNumber,
  asObject,
  asObjects,
  period,
  text,
  uniqueByScheme,
  uri,
} from './values.ts';

/** Items of a tender, award or contract (ocds.md 2.4). */
export function mapItems(items: unknown): readonly JsonObject[] {
  return identified(items).map(mapItem);
}

function mapItem(item: JsonObject): JsonObject {
  const main = classification(asObject(item['classification']));
  return compact({
    id: idText(item['id']),
    ...multilingual(item, 'description'),
    ...classifications(main, asObjects(item['additionalClassifications'])),
    quantity: asNumber(item['quantity']),
    unit: unit(asObject(item['unit'])),
    relatedLot: idText(item['relatedLot']),
    deliveryDate: period(item['deliveryDate']),
    deliveryAddress: address(item['deliveryAddress']),
    deliveryLocation: location(asObject(item['deliveryLocation'])),
  });
}

function classification(source: JsonObject): JsonObject {
  return compact({
    scheme: text(source['scheme']),
    id: idText(source['id']),
    ...multilingual(source, 'description'),
    uri: uri(source['uri']),
  });
}

/** ДК 021:2015 is the national edition of CPV with the same codes: published as CPV, the original beside it (ocds.md 3.5). */
function classifications(main: JsonObject, additional: readonly JsonObject[]): JsonObject {
  const isKnown = !isUnclassified(main['scheme'], idText(main['id']));
  const isNational = isKnown && main['scheme'] === 'ДК021';
  const others = additional.filter(({ scheme }) => scheme !== 'NONE').map(classification);
  return {
    classification: isKnown ? { ...main, ...(isNational ? { scheme: 'CPV' } : {}) } : undefined,
    additionalClassifications: uniqueByScheme(isNational ? [main, ...others] : others),
  };
}

// A common code of UN/CEFACT Recommendation 20. Old tenders have CPV codes here.
const COMMON_CODE = /^[A-Z0-9]{2,3}$/;

function unit(source: JsonObject): JsonObject {
  const code = text(source['code']);
  const known = code !== undefined && COMMON_CODE.test(code) ? { scheme: 'UNCEFACT', id: code } : {};
  return compact({ ...known, ...multilingual(source, 'name'), value: money(source['value']) });
}

function location(source: JsonObject): JsonObject {
  const coordinates = [coordinate(source['longitude']), coordinate(source['latitude'])];
  return coordinates.includes(undefined) ? {} : { geometry: { type: 'Point', coordinates } };
}

function coordinate(value: unknown): number | undefined {
  const shown = text(value);
  return asNumber(shown === undefined ? value : Number(shown));
}
