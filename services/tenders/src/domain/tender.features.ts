import type { ReadTender } from '@procurement/contracts/resources/tender';

type Features = NonNullable<ReadTender['features']>;

const SHARE_MAX = 0.3;

/** All criteria together may give at most 30 % of price advantage; with lots, for each lot (tenders.md 6.2). */
export function featuresError({ features = [], items = [], lots = [] }: ReadTender): string | undefined {
  if (lots.length === 0) {
    return sumOfLargest(features) > SHARE_MAX
      ? 'Sum of max value of all features should be less then or equal to 30%'
      : undefined;
  }
  for (const lot of lots) {
    const ofLot = new Set(items.filter((item) => item.relatedLot === lot.id).map((item) => item.id));
    const featuresOfLot = features.filter(
      ({ featureOf, relatedItem }) =>
        featureOf === 'tenderer' ||
        (featureOf === 'lot' ? relatedItem === lot.id : relatedItem !== undefined && ofLot.has(relatedItem)),
    );
    if (lot.id !== undefined && sumOfLargest(featuresOfLot) > SHARE_MAX) {
      return 'Sum of max value of all features for lot should be less then or equal to 30%';
    }
  }
  return undefined;
}

/** Rounded to 15 digits: the doubles 0.1 and 0.2 add up to more than 0.3. */
function sumOfLargest(features: Features): number {
  const sum = features.reduce((total, feature) => total + Math.max(...feature.enum.map((option) => option.value)), 0);
  return Number(sum.toFixed(15));
}
