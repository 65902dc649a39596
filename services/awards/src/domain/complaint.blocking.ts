import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { Awarding } from './awarding.ts';

/** Statuses of complaints that block signing (bids-awards-auction.md 3.7, tenders.md 13.4). */
const BLOCKING: Readonly<Record<ComplaintsMode, ReadonlySet<string>>> = {
  full: new Set(['claim', 'answered', 'pending']),
  'claims-only': new Set(['answered', 'pending']),
};

/** Whether a complaint about the tender, this lot or one of its awards blocks signing (bids-awards-auction.md 4.3). */
export function blocksSigning({ tender, awards }: Awarding, lot: string | undefined, mode: ComplaintsMode): boolean {
  const ofTender = (tender.complaints ?? []).filter(({ relatedLot }) => relatedLot === undefined || relatedLot === lot);
  const ofAwards = awards.filter((award) => award.lotID === lot).flatMap((award) => award.complaints ?? []);
  return [...ofTender, ...ofAwards].some(({ status }) => BLOCKING[mode].has(status));
}
