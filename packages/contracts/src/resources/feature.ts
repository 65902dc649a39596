import type { z } from 'zod';
import { evenAfterErrors, list, model } from '../reading/composites.ts';
import { REQUIRED, validationError } from '../reading/error-messages.ts';
import { oneOf, float, text } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';

const requiredTitle = multilingualRequired('title', 'title', { charactersMin: 1 });

/** One option of a criterion. `value` is its share of the price advantage. */
export const FeatureValue = model('FeatureValue', {
  value: float({ min: { value: 0, printed: '0.0' }, max: { value: 0.3, printed: '0.3' } }),
  ...requiredTitle,
  ...multilingual('description', 'description'),
}).meta({ id: 'FeatureValue' });
export type FeatureValue = z.infer<typeof FeatureValue>;

function haveDistinctValues(options: readonly { readonly value?: unknown }[]): boolean {
  const values = options.flatMap((option) => (typeof option?.value === 'number' ? [option.value] : []));
  return new Set(values).size === values.length;
}

/** A criterion other than the price (tenders.md 6.2). */
export const Feature = model('Feature', {
  code: text('identifier', { charactersMin: 1 }).optional(),
  featureOf: oneOf(['tenderer', 'lot', 'item']).default('tenderer'),
  relatedItem: text('identifier', { charactersMin: 1 }).optional(),
  ...requiredTitle,
  ...multilingual('description', 'description'),
  enum: list('options', FeatureValue, { min: 1 }),
})
  .refine(({ featureOf, relatedItem }) => (featureOf !== 'item' && featureOf !== 'lot') || relatedItem !== undefined, {
    path: ['relatedItem'],
    error: REQUIRED,
    ...evenAfterErrors,
  })
  .refine(({ enum: options }) => !Array.isArray(options) || haveDistinctValues(options), {
    path: ['enum'],
    error: validationError('Feature value should be uniq for feature'),
    ...evenAfterErrors,
  })
  .meta({ id: 'Feature' });
export type Feature = z.infer<typeof Feature>;
