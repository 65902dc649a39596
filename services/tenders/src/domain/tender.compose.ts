import type { ErrorEntry } from '@procurement/contracts/problems';
import { readBy, type Reading } from '@procurement/contracts/reading/read-by';
import {
  EarlyTenderInput,
  SandboxTenderInput,
  TenderInput,
  TenderReferences,
  type StoredFeature,
  type StoredItem,
  type StoredTender,
} from '@procurement/contracts/resources/tender';
import { withLotTotals } from './tender.lots.ts';
import { crossFaults } from './tender.rules.ts';
import { withTestTitles } from './tender.titles.ts';
import type { TenderSettings } from './tender.ts';

/** Reads what a client sent, or what a merge came to, with all rules of the model (tenders.md 5). */
export function readTender(
  data: Readonly<Record<string, unknown>>,
  settings: TenderSettings,
  early = false,
): Reading<TenderInput> {
  const current = settings.sandbox ? SandboxTenderInput : TenderInput;
  const reading: Reading<TenderInput> = readBy(early ? EarlyTenderInput : current, data);
  if (!reading.ok) return reading;
  const errors = [...crossFaults(reading.value), ...accelerationFaults(reading.value, settings)];
  return errors.length === 0 ? reading : { ok: false, errors };
}

const EARLY_SEGMENTS: ReadonlySet<string> = new Set(['0', '0.1']);

/**
 * Whether a tender may lack what generations 0 and 0.1 do not send: it comes by one, or what is stored came by one and is not
 * what this change is about (generations.md 5.7).
 */
export function mayLackParts(segment: string, settings: TenderSettings, stored?: StoredTender): boolean {
  if (EARLY_SEGMENTS.has(segment)) return true;
  return stored !== undefined && !readTender({ ...stored }, settings).ok;
}

/** What is wrong with a tender as a whole, in the names of its members: asked before every save of a part (tenders.md 1.3). */
export function wholeFaults(tender: StoredTender): readonly ErrorEntry[] {
  const reading = readBy(TenderReferences, { ...tender });
  return [...(reading.ok ? [] : reading.errors), ...crossFaults(tender)];
}

/** tenders.md 7.3: in strict installations only test tenders may hurry. */
function accelerationFaults(tender: TenderInput, settings: TenderSettings): readonly ErrorEntry[] {
  const details = tender.procurementMethodDetails ?? '';
  if (!settings.strictTestMode || details === '' || tender.mode === 'test') return [];
  const text = 'procurementMethodDetails should be used with mode test';
  return [{ location: 'body', name: 'procurementMethodDetails', description: [text] }];
}

/** Items and features with their identifiers: the client's own, or new ones. */
export function withIds(
  { items, features }: Pick<TenderInput, 'items' | 'features'>,
  mintId: () => string,
): { readonly items: readonly StoredItem[]; readonly features?: readonly StoredFeature[] } {
  return {
    items: items.map((item) => ({ ...item, id: item.id ?? mintId() })),
    ...(features === undefined
      ? {}
      : { features: features.map((feature) => ({ ...feature, code: feature.code ?? mintId() })) }),
  };
}

/** What every save does to a tender: totals of lots, marks of a test, nothing empty kept. */
export function settled(tender: StoredTender): StoredTender {
  return withTestTitles(withLotTotals(pruned(tender)));
}

/** Members that are null, empty lists or empty objects are left out, at any depth (http.md 0.1.7). */
export function pruned<T>(value: T): T {
  if (Array.isArray(value)) {
    // Elements stay, since their places count; only what is in them is cut.
    return value.map((element: unknown) => pruned(element)) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, pruned(inner)])
    .filter(([, inner]) => !isNothing(inner));
  // Only optional members can be nothing: what is required has been read as something.
  return Object.fromEntries(kept) as T;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether two documents show the same, whatever the order of their members. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([name, value]) => right.has(name) && same(value, right.get(name)));
}
