import type { StandaloneContractPatch } from '@procurement/contracts/resources/contract';
import { isJsonObject } from '@procurement/contracts/reading/json-object';

type Items = readonly unknown[] | undefined;
type RequestedItems = StandaloneContractPatch['items'];

/** What a PATCH changes of an item of a signed contract; its other members are ignored (contracting.md 4.2). */
const ITEM_MEMBERS = [
  'description',
  'description_en',
  'description_ru',
  'unit',
  'quantity',
  'deliveryDate',
  'deliveryAddress',
  'deliveryLocation',
] as const;

/** The items with what the PATCH may change of them, by position. */
export function changedItems(present: Items, requested: RequestedItems): Items {
  if (requested === undefined) return present;
  return present?.map((item, at) => {
    const changes = Object.fromEntries(ITEM_MEMBERS.map((name) => [name, requested[at]?.[name]]));
    return isJsonObject(item) ? { ...item, ...changes } : item;
  });
}

/** Whether a PATCH would add items, remove some, or give one another identifier. */
export function changesItemsList(present: Items, requested: RequestedItems): boolean {
  if (requested === undefined) return false;
  const before = present ?? [];
  return (
    requested.length !== before.length || requested.some(({ id }, at) => id !== undefined && id !== readId(before[at]))
  );
}

function readId(item: unknown): unknown {
  return isJsonObject(item) ? item['id'] : undefined;
}
