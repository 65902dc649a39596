import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { compact, idText, asNumber, asObjects, text, uniqueById } from './values.ts';

/** Features as criteria: a group for each option, met by its value (ocds.md 2.6). */
export function mapFeatures(features: unknown): readonly JsonObject[] {
  return uniqueById(asObjects(features).map(criterion));
}

function criterion(feature: JsonObject): JsonObject {
  const code = idText(feature['code']);
  return compact({
    id: code,
    title: text(feature['title']),
    description: text(feature['description']),
    ...relation(feature),
    requirementGroups:
      code === undefined ? undefined : uniqueById(asObjects(feature['enum']).map((option) => group(code, option))),
  });
}

function relation(feature: JsonObject): JsonObject {
  const related = idText(feature['relatedItem']);
  if (feature['featureOf'] === 'tenderer') return { relatesToTenderer: true };
  if (feature['featureOf'] === 'item') return { relatedItem: related };
  return feature['featureOf'] === 'lot' && related !== undefined ? { relatedLots: [related] } : {};
}

function group(code: string, option: JsonObject): JsonObject {
  const id = requirementId(code, option['value']);
  return compact({
    id,
    requirements: [
      compact({
        id,
        title: text(option['title']),
        description: text(option['description']),
        dataType: 'number',
        expectedValue: asNumber(option['value']),
      }),
    ],
  });
}

/** Id of the option of a feature with this value; undefined when the value is not a number. */
export function requirementId(code: string, value: unknown): string | undefined {
  return asNumber(value) === undefined ? undefined : `${code}-${String(value)}`;
}

/** Codes of the features that apply to each lot: of tenderers, of that lot, of its items. */
export function featuresByLot(
  tender: JsonObject,
  lotIds: readonly string[],
): ReadonlyMap<string, ReadonlySet<string | undefined>> {
  const lotOfItem = new Map(asObjects(tender['items']).map(({ id, relatedLot }) => [idText(id), idText(relatedLot)]));
  const lotIdOf = ({ featureOf, relatedItem }: JsonObject): string | undefined => {
    const related = idText(relatedItem);
    if (featureOf === 'item') return lotOfItem.get(related);
    return featureOf === 'lot' ? related : undefined;
  };
  const features = asObjects(tender['features']).map((feature) => ({
    code: idText(feature['code']),
    lotId: lotIdOf(feature),
    isOfTenderers: feature['featureOf'] === 'tenderer',
  }));
  const codesOf = (lotId: string): ReadonlySet<string | undefined> =>
    new Set(features.filter((one) => one.isOfTenderers || one.lotId === lotId).map(({ code }) => code));
  return new Map(lotIds.map((lotId) => [lotId, codesOf(lotId)]));
}
