import type { ErrorEntry } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import type { tendersApi } from '@procurement/contracts/api/tenders.api';
import {
  TenderReferences,
  type StoredFeature,
  type StoredItem,
  type StoredMilestone,
  type StoredTender,
  type TenderInput,
} from '@procurement/contracts/resources/tender';
import { hasAuction } from './auction-period.ts';
import { withLotTotals } from './tender.lots.ts';
import { crossMemberErrors } from './tender.rules.ts';
import { withTestTitles } from './tender.titles.ts';
import type { TenderSettings } from './tender.ts';

/** Which members a tender must have: `strict` on 2.5 and 2.3, `early` on segment 0, `none` on 0.1 (generations.md 5.7). */
type Strictness = 'strict' | 'early' | 'none';

type TenderRoute = (typeof tendersApi)['createTender' | 'putTender' | 'patchTender'];

/** Validates a sent tender, or a change merged into `stored`, with all rules of tenders.md 5, by a schema of the contract of `route`. */
export function readTender(
  data: Readonly<Record<string, unknown>>,
  settings: TenderSettings,
  {
    route,
    strictness,
    stored,
    hasAuction,
  }: {
    readonly route: TenderRoute;
    readonly strictness: Strictness;
    readonly stored?: StoredTender;
    readonly hasAuction: boolean;
  },
): ParseResult<TenderInput> {
  const { body, sandboxBody, bodyBySegment } = hasAuction ? route : route.withoutAuction;
  const strictSchema = settings.sandbox ? sandboxBody : body;
  const schema = { strict: strictSchema, early: bodyBySegment['0'], none: bodyBySegment['0.1'] }[strictness];
  const reading: ParseResult<TenderInput> = parseWith(schema, data, stored);
  if (!reading.ok) return reading;
  const errors = [...crossMemberErrors(reading.value), ...accelerationErrors(reading.value, settings)];
  return errors.length === 0 ? reading : { ok: false, errors };
}

const STRICTNESS_OF_SEGMENT: Readonly<Record<string, Strictness>> = { '0': 'early', '0.1': 'none' };

/** The strictness of a creation on a segment. */
export function strictnessOfSegment(segment: string): Strictness {
  return STRICTNESS_OF_SEGMENT[segment] ?? 'strict';
}

/**
 * Validates a changed tender, but never more strictly than the stored one already satisfies. A change is thus not refused for
 * parts that it does not touch (generations.md 5.7).
 */
export function readChanged(
  data: Readonly<Record<string, unknown>>,
  settings: TenderSettings,
  { route, segment, stored }: { readonly route: TenderRoute; readonly segment: string; readonly stored: StoredTender },
): ParseResult<TenderInput> {
  const ownStrictness = strictnessOfSegment(segment);
  const of = { route, stored, hasAuction: hasAuction(stored) };
  const reading = readTender(data, settings, { ...of, strictness: ownStrictness });
  if (reading.ok || ownStrictness === 'none') return reading;
  const storedPasses = (strictness: Strictness): boolean =>
    readTender({ ...stored }, settings, { ...of, strictness }).ok;
  if (storedPasses(ownStrictness)) return reading;
  const strictness = ownStrictness === 'strict' && storedPasses('early') ? 'early' : 'none';
  return readTender(data, settings, { ...of, strictness });
}

/** Errors of a tender as a whole, by member: checked before a part of it is saved (tenders.md 1.3). */
export function tenderErrors(tender: StoredTender): readonly ErrorEntry[] {
  const reading = parseWith(TenderReferences, { ...tender });
  return [...(reading.ok ? [] : reading.errors), ...crossMemberErrors(tender)];
}

/** Only test tenders may be accelerated when `STRICT_TEST_MODE` is set (tenders.md 7.3). */
function accelerationErrors(tender: TenderInput, settings: TenderSettings): readonly ErrorEntry[] {
  const details = tender.procurementMethodDetails ?? '';
  if (!settings.strictTestMode || details === '' || tender.mode === 'test') return [];
  const text = 'procurementMethodDetails should be used with mode test';
  return [{ location: 'body', name: 'procurementMethodDetails', description: [text] }];
}

interface PartsWithIds {
  readonly items: readonly StoredItem[] | undefined;
  readonly milestones?: readonly StoredMilestone[];
  readonly features?: readonly StoredFeature[];
}

/** Items, milestones and features with identifiers: those of the client, else new ones. */
export function withIds(
  { items, milestones, features }: Pick<TenderInput, 'items' | 'milestones' | 'features'>,
  nextId: () => string,
): PartsWithIds {
  return {
    items: items?.map((item) => ({ ...item, id: item.id ?? nextId() })),
    ...(milestones === undefined
      ? {}
      : { milestones: milestones.map((milestone) => ({ ...milestone, id: milestone.id ?? nextId() })) }),
    ...(features === undefined
      ? {}
      : { features: features.map((feature) => ({ ...feature, code: feature.code ?? nextId() })) }),
  };
}

/** Applied before every save: removes empty members, sets the start of tendering, the totals of lots and the test markers. */
export function normalized(tender: StoredTender): StoredTender {
  return withTestTitles(withLotTotals(withTenderingStart(omitEmpty(tender))));
}

/** Tendering begins when enquiries end, unless the client set another start (tenders.md 3.2). */
function withTenderingStart(tender: StoredTender): StoredTender {
  const startDate = tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;
  return startDate === undefined ? tender : { ...tender, tenderPeriod: { startDate, ...tender.tenderPeriod } };
}
