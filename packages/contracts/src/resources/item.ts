import type { z } from 'zod';
import { evenAfterErrors, list, model } from '../reading/composites.ts';
import { REQUIRED, validationError } from '../reading/error-messages.ts';
import { anyScalar, coordinate, float, oneOf, hexId, text, url } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';
import { Address } from './organization.ts';
import { Period } from './period.ts';
import { Value } from './value.ts';

/** The two dictionaries of the main classification; both name `99999999-9` "not defined elsewhere" (tenders.md 6.1). */
export const MAIN_SCHEMES = ['CPV', 'ДК021'] as const;

const descriptionAndUri = { ...multilingualRequired('description', 'description'), uri: url().optional() };

const CODE_PATTERN = /^\d{8}-\d$/;

// No dictionary is loaded: only the format of the code is checked (tenders.md 6.1).
export const CPVClassification = model('CPVClassification', {
  scheme: oneOf(MAIN_SCHEMES).default('CPV'),
  id: text('identifier'),
  ...descriptionAndUri,
})
  .superRefine(({ scheme, id }, context) => {
    if (typeof id !== 'string' || CODE_PATTERN.test(id)) return;
    const message = validationError(
      `Value must be one of ${MAIN_SCHEMES.find((known) => known === scheme) ?? 'CPV'} codes.`,
    );
    context.addIssue({ code: 'custom', path: ['id'], message });
  }, evenAfterErrors)
  .meta({ id: 'CPVClassification' });
export type CPVClassification = z.infer<typeof CPVClassification>;

export const Classification = model('Classification', {
  scheme: text('identifier'),
  id: text('identifier'),
  ...descriptionAndUri,
}).meta({
  id: 'Classification',
});
export type Classification = z.infer<typeof Classification>;

export const Unit = model('Unit', {
  code: text('identifier'),
  ...multilingual('name', 'name'),
  value: Value.optional(),
}).meta({
  id: 'Unit',
});
export type Unit = z.infer<typeof Unit>;

export const Location = model('Location', {
  latitude: coordinate('latitude', 90),
  longitude: coordinate('longitude', 180),
  elevation: anyScalar().optional(),
}).meta({ id: 'Location' });

const NOT_DEFINED_ELSEWHERE = '99999999-9';
const NATIONAL_SCHEMES = ['ДК003', 'ДК015', 'ДК018', 'specialNorms'];

/** A national code is required beside the main code "not defined elsewhere" (tenders.md 6.1). */
function additionalClassificationError(
  additional: readonly { readonly scheme?: unknown }[] | undefined,
): string | undefined {
  if (!Array.isArray(additional) || additional.length === 0) return REQUIRED;
  if (additional.some((one) => NATIONAL_SCHEMES.includes(String(one?.scheme)))) return undefined;
  return validationError(`One of additional classifications should be one of [${NATIONAL_SCHEMES.join(', ')}].`);
}

function itemModel<U extends z.ZodType>(unit: U) {
  return model('Item', {
    id: text('identifier', { charactersMin: 1 }).optional(),
    ...multilingualRequired('description', 'description'),
    classification: CPVClassification,
    additionalClassifications: list('additionalClassifications', Classification).optional(),
    unit: unit.optional(),
    quantity: float({ min: { value: 0, printed: '0' } }).optional(),
    deliveryDate: Period.optional(),
    deliveryAddress: Address.optional(),
    deliveryLocation: Location.optional(),
    relatedLot: hexId().optional(),
  }).superRefine(({ classification, additionalClassifications }, context) => {
    if (classification?.id !== NOT_DEFINED_ELSEWHERE) return;
    const message = additionalClassificationError(additionalClassifications);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['additionalClassifications'], message });
  }, evenAfterErrors);
}

/** Goods or services to procure. The service sets `id` if the client does not. */
export const Item = itemModel(Unit).meta({ id: 'Item' });

/** An item by generations 0 and 0.1: a unit needs no code there (generations.md 5.7). */
export const EarlyItem = itemModel(
  model('Unit', { code: text('identifier').optional(), ...multilingual('name', 'name'), value: Value.optional() }),
).meta({ id: 'EarlyItem' });
export type Item = z.infer<typeof EarlyItem>;
