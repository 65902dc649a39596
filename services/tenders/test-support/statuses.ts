import { TENDER_STATUSES, type TenderStatus } from '@procurement/contracts/resources/tender';

/** Every status of a tender. */
export const STATUSES: readonly TenderStatus[] = TENDER_STATUSES;

export const FINAL: ReadonlySet<TenderStatus> = new Set(['complete', 'cancelled', 'unsuccessful']);
