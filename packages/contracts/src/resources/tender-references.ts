import { validationError } from '../reading/error-messages.ts';

/** An error of the second pass at a path inside the tender. */
export interface TenderReferenceError {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The result of a conversion that may have failed in parts, so every member is optional. */
interface TenderLists {
  readonly items?: readonly { readonly id?: unknown; readonly relatedLot?: unknown }[];
  readonly milestones?: readonly { readonly id?: unknown; readonly relatedLot?: unknown }[];
  readonly lots?: readonly { readonly id?: unknown }[];
  readonly features?: readonly {
    readonly code?: unknown;
    readonly featureOf?: unknown;
    readonly relatedItem?: unknown;
  }[];
}

/** References inside a tender must resolve, and identifiers must be unique (tenders.md 5.3). */
export function referenceErrors(tender: Readonly<Record<string, unknown>>): readonly TenderReferenceError[] {
  // Only lists are passed on; members that an element lacks are undefined.
  const parts: TenderLists = Object.fromEntries(
    ['items', 'milestones', 'lots', 'features'].flatMap((name) =>
      Array.isArray(tender[name]) ? [[name, tender[name]]] : [],
    ),
  );
  const itemIds = selectTexts(parts.items ?? [], 'id');
  const lotIds = selectTexts(parts.lots ?? [], 'id');
  return [
    ...unknownLotErrors('items', parts, lotIds),
    ...unknownLotErrors('milestones', parts, lotIds),
    ...unknownFeatureTargetErrors(parts, new Set(itemIds), new Set(lotIds)),
    ...duplicateErrors('items', itemIds, 'Item id should be uniq for all items'),
    ...duplicateErrors(
      'milestones',
      selectTexts(parts.milestones ?? [], 'id'),
      'Milestone id should be uniq for all milestones',
    ),
    ...duplicateErrors(
      'features',
      selectTexts(parts.features ?? [], 'code'),
      'Feature code should be uniq for all features',
    ),
    ...duplicateErrors('lots', lotIds, 'Lot id should be uniq for all lots'),
  ];
}

function selectTexts<K extends string>(elements: readonly { readonly [key in K]?: unknown }[], key: K): string[] {
  return elements.flatMap((element) => (typeof element?.[key] === 'string' ? [element[key]] : []));
}

/** Kept for clients: two texts, as the living system has them. */
const UNKNOWN_LOT = {
  items: 'relatedLot should be one of lots',
  milestones: 'relatedLot should be one of the lots.',
} as const;

function unknownLotErrors(
  list: keyof typeof UNKNOWN_LOT,
  parts: TenderLists,
  lotIds: readonly string[],
): TenderReferenceError[] {
  return (parts[list] ?? []).flatMap((element, at) => {
    const lot = element?.relatedLot;
    if (typeof lot !== 'string' || lotIds.includes(lot)) return [];
    return [{ path: [list, at, 'relatedLot'], message: validationError(UNKNOWN_LOT[list]) }];
  });
}

function unknownFeatureTargetErrors(
  { features = [] }: TenderLists,
  items: ReadonlySet<string>,
  lots: ReadonlySet<string>,
): TenderReferenceError[] {
  const targets: Readonly<Record<string, { readonly known: ReadonlySet<string>; readonly plural: string }>> = {
    item: { known: items, plural: 'items' },
    lot: { known: lots, plural: 'lots' },
  };
  return features.flatMap((feature, at) => {
    const target = targets[String(feature?.featureOf)];
    const name = feature?.relatedItem;
    if (target === undefined || typeof name !== 'string' || target.known.has(name)) return [];
    const message = validationError(`relatedItem should be one of ${target.plural}`);
    return [{ path: ['features', at, 'relatedItem'], message }];
  });
}

function duplicateErrors(list: string, names: readonly string[], message: string): TenderReferenceError[] {
  return new Set(names).size < names.length ? [{ path: [list], message: validationError(message) }] : [];
}
