import type { z } from 'zod';
import { evenAfterErrors, list, model } from '../reading/composites.ts';
import { validationError } from '../reading/error-messages.ts';
import { oneOf, email, text, url } from '../reading/scalars.ts';
import { IDENTIFIER_SCHEMES } from './identifier-schemes.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';

const optionalId = text('identifier').optional();
const addressLine = text('addressLine').optional();
const telephone = text('telephone').optional();

export const Address = model('Address', {
  ...multilingualRequired('countryName', 'name'),
  streetAddress: addressLine,
  locality: addressLine,
  region: addressLine,
  postalCode: addressLine,
}).meta({ id: 'Address' });
export type Address = z.infer<typeof Address>;

export const ContactPoint = model('ContactPoint', {
  ...multilingualRequired('name', 'name'),
  email: email().optional(),
  telephone,
  faxNumber: telephone,
  url: url().optional(),
})
  .refine((point) => point.email !== undefined || point.telephone !== undefined, {
    path: ['email'],
    error: validationError('telephone or email should be present'),
    ...evenAfterErrors,
  })
  .meta({ id: 'ContactPoint' });
export type ContactPoint = z.infer<typeof ContactPoint>;

const identifierMembers = {
  scheme: oneOf(IDENTIFIER_SCHEMES),
  ...multilingual('legalName', 'name'),
  uri: url().optional(),
};

export const Identifier = model('Identifier', { ...identifierMembers, id: text('identifier') }).meta({
  id: 'Identifier',
});
export type Identifier = z.infer<typeof Identifier>;

const nameMembers = {
  ...multilingualRequired('name', 'name'),
  additionalIdentifiers: list('additionalIdentifiers', Identifier).optional(),
};

export const Organization = model('Organization', {
  ...nameMembers,
  identifier: Identifier,
  address: Address,
  contactPoint: ContactPoint,
}).meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

/**
 * An organization in the form of `interface.md`, which older segments may send: contact point, address and the number of
 * the identifier are optional, and any scheme is accepted (rulings R13, generations.md 5.7).
 */
export const EarlyOrganization = model('Organization', {
  ...nameMembers,
  identifier: model('Identifier', { ...identifierMembers, scheme: text('identifier'), id: optionalId }),
  address: Address.optional(),
  contactPoint: ContactPoint.optional(),
}).meta({ id: 'EarlyOrganization' });
export type EarlyOrganization = z.infer<typeof EarlyOrganization>;

/** Sizes of enterprises (rulings R25). */
const scale = oneOf(['micro', 'sme', 'mid', 'large', 'not specified']).optional();

/** A bidder or supplier. */
export const BusinessOrganization = model('Organization', { ...Organization.shape, scale }).meta({
  id: 'BusinessOrganization',
});

/** A bidder or supplier by older segments. */
export const EarlyBusinessOrganization = model('Organization', { ...EarlyOrganization.shape, scale }).meta({
  id: 'EarlyBusinessOrganization',
});

/** Kinds of buyers. All may run the below-threshold procedure (tenders.md 3.3). */
export const PROCURING_ENTITY_KINDS = ['general', 'special', 'defense', 'other'] as const;

/** `kind` is optional here: the decision requires it, with a different error. */
export const ProcuringEntity = model('ProcuringEntity', {
  ...nameMembers,
  kind: oneOf(PROCURING_ENTITY_KINDS).optional(),
  identifier: Identifier,
  address: Address,
  contactPoint: ContactPoint,
}).meta({ id: 'ProcuringEntity' });
export type ProcuringEntity = z.infer<typeof ProcuringEntity>;

/** The procuring entity as contracts name it too (contracting.md 2.2). */
export const Buyer = model('Buyer', { ...nameMembers, identifier: Identifier, address: Address }).meta({ id: 'Buyer' });

/** A buyer by generations 0 and 0.1: contact point and address are optional (generations.md 5.7). */
export const EarlyProcuringEntity = model('ProcuringEntity', {
  ...nameMembers,
  kind: oneOf(PROCURING_ENTITY_KINDS).optional(),
  identifier: model('Identifier', { ...identifierMembers, scheme: text('identifier'), id: optionalId }),
  address: Address.optional(),
  contactPoint: ContactPoint.optional(),
}).meta({ id: 'EarlyProcuringEntity' });
export type EarlyProcuringEntity = z.infer<typeof EarlyProcuringEntity>;
