import { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { REQUIRED } from '../reading/error-messages.ts';
import { oneOf, dateTime, hexId, text } from '../reading/scalars.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { multilingualRequired } from './multilingual.ts';

const cancellationMembers = {
  id: text('identifier').optional(),
  ...multilingualRequired('reason', 'description'),
  status: oneOf(['pending', 'active']).default('pending'),
  cancellationOf: oneOf(['tender', 'lot']).default('tender'),
  relatedLot: hexId().optional(),
  date: dateTime().optional(),
  documents: ignoredMember,
};

/** Body of POST and PATCH (tenders.md 14). */
export const CancellationInput = model('Cancellation', cancellationMembers)
  .refine(({ cancellationOf, relatedLot }) => cancellationOf !== 'lot' || relatedLot !== undefined, {
    path: ['relatedLot'],
    error: REQUIRED,
    ...evenAfterErrors,
  })
  .meta({ id: 'CancellationInput' });
export type CancellationInput = z.infer<typeof CancellationInput>;

export interface StoredCancellation extends Omit<CancellationInput, 'id' | 'date' | 'documents'> {
  readonly id: string;
  readonly date: string;
}

export const Cancellation = model('Cancellation', {
  ...cancellationMembers,
  id: text('identifier'),
  date: dateTime(),
  documents: z.array(Document).optional(),
}).meta({
  id: 'Cancellation',
});
