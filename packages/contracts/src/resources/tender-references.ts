import { validation } from '../reading/faults.ts';

/** A fault of the second pass at a place inside the tender. */
export interface ReferenceFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Members as they come out of a conversion that may have failed in places: nothing is certain to be there. */
interface Parts {
  readonly items?: readonly { readonly id?: unknown; readonly relatedLot?: unknown }[];
  readonly lots?: readonly { readonly id?: unknown }[];
  readonly features?: readonly {
    readonly code?: unknown;
    readonly featureOf?: unknown;
    readonly relatedItem?: unknown;
  }[];
}

/** Names inside a tender must name something of it, and name it once (tenders.md 5.3). */
export function referenceFaults(tender: Readonly<Record<string, unknown>>): readonly ReferenceFault[] {
  // Each list is checked to be one; what its elements lack reads as undefined.
  const parts: Parts = Object.fromEntries(
    ['items', 'lots', 'features'].flatMap((name) => (Array.isArray(tender[name]) ? [[name, tender[name]]] : [])),
  );
  const itemIds = namesOf(parts.items ?? [], 'id');
  const lotIds = namesOf(parts.lots ?? [], 'id');
  return [
    ...unknownLots(parts, lotIds),
    ...unknownFeatureTargets(parts, new Set(itemIds), new Set(lotIds)),
    ...repeated('items', itemIds, 'Item id should be uniq for all items'),
    ...repeated('features', namesOf(parts.features ?? [], 'code'), 'Feature code should be uniq for all features'),
    ...repeated('lots', lotIds, 'Lot id should be uniq for all lots'),
  ];
}

function namesOf<K extends string>(elements: readonly { readonly [key in K]?: unknown }[], key: K): string[] {
  return elements.flatMap((element) => (typeof element?.[key] === 'string' ? [element[key]] : []));
}

function unknownLots({ items = [] }: Parts, lotIds: readonly string[]): ReferenceFault[] {
  return items.flatMap((item, at) => {
    const lot = item?.relatedLot;
    if (typeof lot !== 'string' || lotIds.includes(lot)) return [];
    return [{ path: ['items', at, 'relatedLot'], message: validation('relatedLot should be one of lots') }];
  });
}

function unknownFeatureTargets(
  { features = [] }: Parts,
  items: ReadonlySet<string>,
  lots: ReadonlySet<string>,
): ReferenceFault[] {
  const targets: Readonly<Record<string, { readonly known: ReadonlySet<string>; readonly plural: string }>> = {
    item: { known: items, plural: 'items' },
    lot: { known: lots, plural: 'lots' },
  };
  return features.flatMap((feature, at) => {
    const target = targets[String(feature?.featureOf)];
    const name = feature?.relatedItem;
    if (target === undefined || typeof name !== 'string' || target.known.has(name)) return [];
    const message = validation(`relatedItem should be one of ${target.plural}`);
    return [{ path: ['features', at, 'relatedItem'], message }];
  });
}

function repeated(list: string, names: readonly string[], message: string): ReferenceFault[] {
  return new Set(names).size < names.length ? [{ path: [list], message: validation(message) }] : [];
}
