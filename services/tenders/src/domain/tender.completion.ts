import { formatServerDate, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { StoredLot, StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { blocksLot, blocksTender } from '@procurement/domain/complaint-blocking';
import { ignoreLeftoverClaims } from './complaint.clock.ts';
import { lotsOf } from '@procurement/domain/lots';
import { latestStandStill } from './tender.timers.ts';
import type { TenderParts, TenderSettings } from './tender.ts';

/**
 * Completes the tender, or those of its lots that are over (tenders.md 8.2 rows 13 to 16, bids-awards-auction.md 3.9). Called
 * on ticks, when awards or contracts change, and when a complaint closes. Returns the document unchanged if nothing is over.
 */
export function completeIfDue(tender: TenderParts, now: Instant, settings: TenderSettings): StoredTender {
  const { document } = tender;
  if (lotsOf(document).length === 0) return completeTender(tender, now, settings);
  if (document.status !== 'active.qualification' && document.status !== 'active.awarded') return document;
  if (blocksTender(document, settings.complaintsMode)) return document;
  const lots = lotsOf(document).map((lot) => completeLot(lot, tender, now, settings));
  const status = statusOfLots(lots, document.status);
  return moveToStatus({ ...document, lots }, status, now, settings);
}

function completeTender(tender: TenderParts, now: Instant, settings: TenderSettings): StoredTender {
  const { document, awards } = tender;
  if (document.status !== 'active.awarded') return document;
  if (awards?.contracts.at(-1)?.status === 'active') return moveToStatus(document, 'complete', now, settings);
  const all = awards?.awards ?? [];
  if (all.at(-1)?.status !== 'unsuccessful' || !standStillIsOver(all, now)) return document;
  if (blocksTender(document, settings.complaintsMode)) return document;
  if (blocksLot(document, all, undefined, settings.complaintsMode)) return document;
  return moveToStatus(document, 'unsuccessful', now, settings);
}

function completeLot(lot: StoredLot, tender: TenderParts, now: Instant, settings: TenderSettings): StoredLot {
  const own = (tender.awards?.awards ?? []).filter((award) => award.lotID === lot.id);
  const last = own.at(-1);
  if (lot.status !== 'active' || last === undefined || !standStillIsOver(own, now)) return lot;
  if (blocksLot(tender.document, own, lot.id, settings.complaintsMode)) return lot;
  const signed = tender.awards?.contracts.some(
    (contract) => contract.awardID === last.id && contract.status === 'active',
  );
  if (last.status === 'unsuccessful') return withLotStatus(lot, 'unsuccessful', now);
  return last.status === 'active' && signed === true ? withLotStatus(lot, 'complete', now) : lot;
}

/** Whether no award can be complained about any more. An award without an end of its period still can. */
function standStillIsOver(awards: readonly AwardRecord[], now: Instant): boolean {
  const isOpen = awards.some(
    ({ status, complaintPeriod }) => complaintPeriod?.endDate === undefined && status !== 'cancelled',
  );
  const end = latestStandStill(awards);
  return !isOpen && end !== undefined && end <= now;
}

/** The lot with a status and the date of the change; the same lot if it has the status already. */
export function withLotStatus(lot: StoredLot, status: StoredLot['status'], now: Instant): StoredLot {
  return lot.status === status ? lot : { ...lot, status, date: formatServerDate(now) };
}

/** The status of a tender that follows from its lots (tenders.md 8.2 rows 14 and 16 to 18); `otherwise` while a lot is active. */
export function statusOfLots(lots: readonly StoredLot[], otherwise: TenderStatus): TenderStatus {
  const all = (...statuses: StoredLot['status'][]): boolean => lots.every((lot) => statuses.includes(lot.status));
  if (all('cancelled')) return 'cancelled';
  if (all('unsuccessful', 'cancelled')) return 'unsuccessful';
  return all('complete', 'unsuccessful', 'cancelled') ? 'complete' : otherwise;
}

/** The tender with a status. Ignores open claims of a tender or lot that ends (mode `claims-only`). */
export function moveToStatus(
  document: StoredTender,
  status: TenderStatus,
  now: Instant,
  settings: TenderSettings,
): StoredTender {
  const isOver = status === 'complete' || status === 'unsuccessful';
  const overLots = new Set(
    lotsOf(document).flatMap((lot) => (lot.status === 'complete' || lot.status === 'unsuccessful' ? [lot.id] : [])),
  );
  const complaints = ignoreLeftoverClaims(
    document.complaints,
    ({ relatedLot }) => isOver || (relatedLot !== undefined && overLots.has(relatedLot)),
    now,
    settings,
  );
  const next = complaints === undefined ? document : { ...document, complaints };
  return withTenderStatus(next, status, now);
}

/** The tender with a status and the date of the change; the same tender if it has the status already (tenders.md 8.1). */
export function withTenderStatus(document: StoredTender, status: TenderStatus, now: Instant): StoredTender {
  return document.status === status ? document : { ...document, status, date: formatServerDate(now) };
}

/** Whether a stored date is now or in the past. */
export function hasCome(date: string, now: Instant): boolean {
  return parseInstant(date) <= now;
}
