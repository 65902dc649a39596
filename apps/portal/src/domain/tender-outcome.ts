import type { Tender } from '@procurement/client';
import { implementationOf, isSigned } from './contract.ts';
import { complaintsOf, sumContracts } from './now.ts';

const DAY_MS = 86_400_000;
const ENDED: ReadonlySet<string> = new Set(['complete', 'unsuccessful', 'cancelled']);

/** How a tender went, in figures. A figure that cannot be told is absent. */
export interface TenderOutcome {
  readonly bids?: number | undefined;
  readonly expected?: { readonly amount: number; readonly currency: string };
  readonly contracted?: { readonly amount: number; readonly currency: string };
  /** Whether a contract has another value now. */
  readonly isAmended?: boolean;
  /** Whole days from publication to the last signature. */
  readonly daysToContract?: number;
  readonly answered?: { readonly answered: number; readonly asked: number };
  readonly complaints?: number;
}

/** The figures of a tender that has ended; undefined before. Published: when its enquiries began. */
export function tenderOutcome(tender: Tender): TenderOutcome | undefined {
  if (!ENDED.has(tender.status)) return undefined;
  const { bids, numberOfBids, questions = [], contracts = [], enquiryPeriod, value } = tender;
  const contracted = sumContracts(tender);
  const complaints = complaintsOf(tender).length;
  const signed = contracts.filter(isSigned).flatMap(({ dateSigned }) => dateSigned ?? []);
  const lastMs = Math.max(...signed.map((date) => Date.parse(date)));
  const publishedMs = Date.parse(enquiryPeriod?.startDate ?? '');
  const days = Math.floor((lastMs - publishedMs) / DAY_MS);
  return {
    // A cancellation erases the bids: whether there were any is not known.
    bids: tender.status === 'cancelled' && (bids ?? []).length === 0 ? undefined : (numberOfBids ?? bids?.length),
    ...(contracted === undefined
      ? {}
      : {
          expected: value,
          contracted,
          isAmended: contracts.some((one) => isSigned(one) && implementationOf(one).value !== undefined),
        }),
    ...(Number.isFinite(days) ? { daysToContract: Math.max(days, 0) } : {}),
    ...(questions.length === 0
      ? {}
      : {
          answered: {
            answered: questions.filter(({ answer }) => answer !== undefined).length,
            asked: questions.length,
          },
        }),
    ...(complaints === 0 ? {} : { complaints }),
  };
}
