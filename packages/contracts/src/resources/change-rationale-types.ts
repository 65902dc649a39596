/**
 * Why a contract is changed: the reasons that the law has for this procedure (contracting.md 5). Error texts name them in this order;
 * other reasons of the field belong to procedures that are not offered.
 */
export const CHANGE_RATIONALE_TYPES = [
  'volumeCuts',
  'itemPriceVariation',
  'qualityImprovement',
  'thirdParty',
  'durationExtension',
  'priceReduction',
  'taxRate',
  'fiscalYearExtension',
  'priceClarification',
] as const;
