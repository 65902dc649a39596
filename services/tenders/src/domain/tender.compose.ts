import type { ErrorEntry } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import {
  BareTenderInput,
  EarlyTenderInput,
  SandboxTenderInput,
  TenderInput,
  TenderReferences,
  type StoredFeature,
  type StoredItem,
  type StoredTender,
} from '@procurement/contracts/resources/tender';
import { withLotTotals } from './tender.lots.ts';
import { crossMemberErrors } from './tender.rules.ts';
import { withTestTitles } from './tender.titles.ts';
import type { TenderSettings } from './tender.ts';

/** What a tender must have: everything, less by generation 0, and by 0.1 nothing at all (generations.md 5.7). */
type Strictness = 'strict' | 'early' | 'none';

/** Reads what a client sent, or what a merge came to, with all rules of the model (tenders.md 5). */
export function readTender(
  data: Readonly<Record<string, unknown>>,
  settings: TenderSettings,
  strictness: Strictness = 'strict',
): ParseResult<TenderInput> {
  const strictModel = settings.sandbox ? SandboxTenderInput : TenderInput;
  const model = { strict: strictModel, early: EarlyTenderInput, none: BareTenderInput }[strictness];
  const reading: ParseResult<TenderInput> = parseWith(model, data);
  if (!reading.ok) return reading;
  const errors = [...crossMemberErrors(reading.value), ...accelerationErrors(reading.value, settings)];
  return errors.length === 0 ? reading : { ok: false, errors };
}

const OLD_SEGMENTS: Readonly<Record<string, Strictness>> = { '0': 'early', '0.1': 'none' };

/** What is asked of a tender that comes by a segment. */
export function strictnessOfSegment(segment: string): Strictness {
  return OLD_SEGMENTS[segment] ?? 'strict';
}

/**
 * Reads what a change of a stored tender came to. Never is more asked of it than of what is stored, so that it is not refused
 * for parts that it is not about (generations.md 5.7).
 */
export function readChanged(
  data: Readonly<Record<string, unknown>>,
  settings: TenderSettings,
  { segment, stored }: { readonly segment: string; readonly stored: StoredTender },
): ParseResult<TenderInput> {
  const ownStrictness = strictnessOfSegment(segment);
  const reading = readTender(data, settings, ownStrictness);
  if (reading.ok || ownStrictness === 'none') return reading;
  const storedPasses = (demands: Strictness): boolean => readTender({ ...stored }, settings, demands).ok;
  if (storedPasses(ownStrictness)) return reading;
  return readTender(data, settings, ownStrictness === 'strict' && storedPasses('early') ? 'early' : 'none');
}

/** What is wrong with a tender as a whole, in the names of its members: asked before every save of a part (tenders.md 1.3). */
export function tenderErrors(tender: StoredTender): readonly ErrorEntry[] {
  const reading = parseWith(TenderReferences, { ...tender });
  return [...(reading.ok ? [] : reading.errors), ...crossMemberErrors(tender)];
}

/** tenders.md 7.3: in strict installations only test tenders may hurry. */
function accelerationErrors(tender: TenderInput, settings: TenderSettings): readonly ErrorEntry[] {
  const details = tender.procurementMethodDetails ?? '';
  if (!settings.strictTestMode || details === '' || tender.mode === 'test') return [];
  const text = 'procurementMethodDetails should be used with mode test';
  return [{ location: 'body', name: 'procurementMethodDetails', description: [text] }];
}

/** Items and features with their identifiers: the client's own, or new ones. */
export function withIds(
  { items, features }: Pick<TenderInput, 'items' | 'features'>,
  nextId: () => string,
): { readonly items: readonly StoredItem[] | undefined; readonly features?: readonly StoredFeature[] } {
  return {
    items: items?.map((item) => ({ ...item, id: item.id ?? nextId() })),
    ...(features === undefined
      ? {}
      : { features: features.map((feature) => ({ ...feature, code: feature.code ?? nextId() })) }),
  };
}

/** What every save does to a tender: totals of lots, marks of a test, a start of tendering, nothing empty kept. */
export function normalized(tender: StoredTender): StoredTender {
  return withTestTitles(withLotTotals(withTenderingStart(omitEmpty(tender))));
}

/** Tendering begins when enquiries end, unless the client said otherwise (tenders.md 3.2). */
function withTenderingStart(tender: StoredTender): StoredTender {
  const startDate = tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;
  return startDate === undefined ? tender : { ...tender, tenderPeriod: { startDate, ...tender.tenderPeriod } };
}
