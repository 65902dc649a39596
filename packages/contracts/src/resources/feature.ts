import type { z } from 'zod';
import { always, list, model } from '../reading/composites.ts';
import { REQUIRED, validation } from '../reading/faults.ts';
import { choice, float, text } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';

const title = multilingualRequired('title', { charactersMin: 1 });

/** One option of a criterion; `value` is its share of price advantage. */
export const FeatureValue = model('FeatureValue', {
  value: float({ min: { value: 0, printed: '0.0' }, max: { value: 0.3, printed: '0.3' } }),
  ...title,
  ...multilingual('description'),
}).meta({ id: 'FeatureValue' });
export type FeatureValue = z.infer<typeof FeatureValue>;

function areDifferent(options: readonly { readonly value?: unknown }[]): boolean {
  const values = options.flatMap((option) => (typeof option?.value === 'number' ? [option.value] : []));
  return new Set(values).size === values.length;
}

/** A criterion beside the price (tenders.md 6.2). */
export const Feature = model('Feature', {
  code: text({ charactersMin: 1 }).optional(),
  featureOf: choice(['tenderer', 'lot', 'item']).default('tenderer'),
  relatedItem: text({ charactersMin: 1 }).optional(),
  ...title,
  ...multilingual('description'),
  enum: list(FeatureValue, { min: 1 }),
})
  .refine(({ featureOf, relatedItem }) => (featureOf !== 'item' && featureOf !== 'lot') || relatedItem !== undefined, {
    path: ['relatedItem'],
    error: REQUIRED,
    ...always,
  })
  .refine(({ enum: options }) => !Array.isArray(options) || areDifferent(options), {
    path: ['enum'],
    error: validation('Feature value should be uniq for feature'),
    ...always,
  })
  .meta({ id: 'Feature' });
export type Feature = z.infer<typeof Feature>;
