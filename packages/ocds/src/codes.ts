// Codes of ocds.md 3. Codelists of the standard that are closed are sets: a code outside of them is not published.

/** ocds.md 3.1: the part of a canonical status before the first dot, and the status of the published tender. */
export const TENDER_STATUSES: Readonly<Record<string, string>> = {
  active: 'active',
  complete: 'complete',
  unsuccessful: 'unsuccessful',
  cancelled: 'cancelled',
};
/** The operator withdrew a tender that was published. */
export const WITHDRAWN = 'withdrawn';
export const LOT_STATUSES: ReadonlySet<string> = new Set(['active', 'cancelled', 'unsuccessful', 'complete']);
export const AWARD_STATUSES: ReadonlySet<string> = new Set(['pending', 'active', 'unsuccessful', 'cancelled']);
export const CONTRACT_STATUSES: ReadonlySet<string> = new Set(['pending', 'active', 'cancelled', 'terminated']);

/** Statuses of bids that are not public. */
export const UNPUBLISHED_BIDS: ReadonlySet<unknown> = new Set(['draft', 'deleted']);
const BID_STATUSES: Readonly<Record<string, string>> = {
  active: 'valid',
  validBid: 'valid',
  unsuccessful: 'disqualified',
  withdrawn: 'withdrawn',
  cancelled: 'withdrawn',
};

/** ocds.md 3.2. */
export function bidStatus(canonical: unknown): string {
  const status = String(canonical);
  return status.startsWith('invalid') ? 'disqualified' : (lookUp(BID_STATUSES, status) ?? 'pending');
}

const AWARD_CRITERIA: Readonly<Record<string, string>> = {
  lowestCost: 'priceOnly',
  lifeCycleCost: 'costOnly',
  bestProposal: 'ratedCriteria',
  bestValueToGovernment: 'ratedCriteria',
};

/** ocds.md 3.3; the list is open. */
export function awardCriteria(canonical: string | undefined, hasFeatures: boolean): string | undefined {
  if (canonical === undefined) return undefined;
  return hasFeatures ? 'ratedCriteria' : (lookUp(AWARD_CRITERIA, canonical) ?? canonical);
}

export const PROCUREMENT_METHODS: ReadonlySet<string> = new Set(['open', 'selective', 'limited']);
export const PROCUREMENT_CATEGORIES: ReadonlySet<string> = new Set(['goods', 'works', 'services']);
const CPV_SCHEMES: ReadonlySet<unknown> = new Set(['CPV', 'ДК021']);
/** "Not in the list". */
const NO_CPV = '99999999-9';

/** ocds.md 3.4: the category of a division of CPV, its first two digits. */
function categoryOfDivision(division: number): string | undefined {
  if (division === 45) return 'works';
  if ((division >= 3 && division <= 44) || division === 48) return 'goods';
  return division >= 50 && division <= 98 ? 'services' : undefined;
}

export function categoryOfClass(scheme: unknown, id: string | undefined): string | undefined {
  if (!CPV_SCHEMES.has(scheme) || id === undefined || id === NO_CPV || !/^\d{2}/.test(id)) return undefined;
  return categoryOfDivision(Number(id.slice(0, 2)));
}

/** Whether a main classification says that nothing fits. */
export function isUnclassified(scheme: unknown, id: string | undefined): boolean {
  return CPV_SCHEMES.has(scheme) && id === NO_CPV;
}

/** Place of a document, which decides about its type. */
export type DocumentPlace = 'tender' | 'bid' | 'award' | 'contract' | 'cancellation';

const NOTICES: Readonly<Record<string, string>> = {
  tender: 'tenderNotice',
  award: 'awardNotice',
  contract: 'contractNotice',
};
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  contractProforma: 'contractDraft',
  registerExtract: 'bidders',
  commercialProposal: 'submissionDocuments',
  qualificationDocuments: 'submissionDocuments',
  eligibilityDocuments: 'submissionDocuments',
};

/** ocds.md 3.6; the list is open, so other types pass. */
export function documentType(
  canonical: string | undefined,
  place: DocumentPlace,
  documentOf?: unknown,
): string | undefined {
  if (place === 'cancellation') return 'cancellationDetails';
  if (canonical === undefined && documentOf === 'change') return 'contractAnnexe';
  if (canonical === undefined) return place === 'bid' ? 'submissionDocuments' : undefined;
  if (canonical === 'notice') return NOTICES[place] ?? canonical;
  return lookUp(DOCUMENT_TYPES, canonical) ?? canonical;
}

/** A row of a table; a code such as `constructor` is in none. */
export function lookUp(table: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
