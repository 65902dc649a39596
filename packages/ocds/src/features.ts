import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { compact, idText, numberOf, objects, text, uniqueById } from './values.ts';

/** Features as criteria: a group for each option, met by its value (ocds.md 2.6). */
export function mapFeatures(features: unknown): readonly JsonObject[] {
  return uniqueById(objects(features).map(criterion));
}

function criterion(feature: JsonObject): JsonObject {
  const code = idText(feature['code']);
  return compact({
    id: code,
    title: text(feature['title']),
    description: text(feature['description']),
    ...relation(feature),
    requirementGroups:
      code === undefined ? undefined : uniqueById(objects(feature['enum']).map((option) => group(code, option))),
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
        expectedValue: numberOf(option['value']),
      }),
    ],
  });
}

/** Id of the option of a feature with this value; undefined when the value is not a number. */
export function requirementId(code: string, value: unknown): string | undefined {
  return numberOf(value) === undefined ? undefined : `${code}-${String(value)}`;
}

/** Codes of the features that apply to a lot: of tenderers, of that lot, of its items. */
export function featuresOfLot(tender: JsonObject, lotId: string): ReadonlySet<string | undefined> {
  const items = objects(tender['items']).filter(({ relatedLot }) => idText(relatedLot) === lotId);
  const itemIds = new Set(items.map(({ id }) => idText(id)));
  const applies = ({ featureOf, relatedItem }: JsonObject): boolean => {
    if (featureOf === 'lot') return idText(relatedItem) === lotId;
    return featureOf === 'item' ? itemIds.has(idText(relatedItem)) : featureOf === 'tenderer';
  };
  return new Set(
    objects(tender['features'])
      .filter(applies)
      .map(({ code }) => idText(code)),
  );
}
