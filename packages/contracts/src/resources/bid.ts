import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { boolean, oneOf, dateTime, float, hexId, text, url } from '../reading/scalars.ts';
import { Document, DocumentInput } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { BusinessOrganization, EarlyBusinessOrganization } from './organization.ts';
import { Value } from './value.ts';

export const LotValue = model('LotValue', {
  value: Value,
  relatedLot: hexId(),
  date: dateTime().optional(),
  participationUrl: url().optional(),
}).meta({ id: 'LotValue' });
export type LotValue = z.infer<typeof LotValue>;

export const Parameter = model('Parameter', { code: text('identifier'), value: float() }).meta({ id: 'Parameter' });

function bidMembers<P extends z.ZodType>(tenderer: P) {
  return {
    id: text('identifier').optional(),
    date: dateTime().optional(),
    status: oneOf(['active', 'draft']).optional(),
    tenderers: list('tenderers', tenderer, { min: 1 }),
    value: Value.optional(),
    lotValues: list('lotValues', LotValue).optional(),
    parameters: list('parameters', Parameter).optional(),
    participationUrl: url().optional(),
    selfEligible: boolean().optional(),
    selfQualified: boolean().optional(),
    subcontractingDetails: text('description').optional(),
  };
}

function bidInput<P extends z.ZodType>(tenderer: P) {
  return model('Bid', { ...bidMembers(tenderer), documents: list('bidDocuments', DocumentInput).optional() });
}

/**
 * Body of a POST. `id`, `date` and `participationUrl` are ignored; `documents` are files that were uploaded to the document
 * service before (bids-awards-auction.md 1.1, 1.6).
 */
export const BidInput = bidInput(BusinessOrganization).meta({ id: 'BidInput' });
export type BidInput = z.infer<typeof EarlyBidInput>;

/** Body of a POST by an older segment, whose organisations have fewer required members (rulings R13). */
export const EarlyBidInput = bidInput(EarlyBusinessOrganization).meta({ id: 'EarlyBidInput' });

function bidPatch<P extends z.ZodType>(tenderer: P) {
  return model('Bid', { ...bidMembers(tenderer), documents: ignoredMember });
}

/** Body of a PATCH. Documents of an existing bid are changed at their own addresses; in the body they are ignored. */
export const BidPatch = bidPatch(BusinessOrganization).meta({ id: 'BidPatch' });

/** Body of a PATCH by an older segment (rulings R13). */
export const EarlyBidPatch = bidPatch(EarlyBusinessOrganization).meta({ id: 'EarlyBidPatch' });

/** A stored bid. Its documents are stored by the documents service. */
export interface StoredBid extends Omit<BidInput, 'id' | 'date' | 'status' | 'documents'> {
  readonly id: string;
  readonly date: string;
  readonly status: 'active' | 'draft';
}

/** A bid in answers: to its owner, and to everyone when bids are opened. */
export const Bid = z
  .looseObject({
    ...bidMembers(BusinessOrganization),
    id: hexId(),
    date: dateTime(),
    status: oneOf(['active', 'draft']),
    documents: z.array(Document).optional(),
  })
  .meta({ id: 'Bid' });
