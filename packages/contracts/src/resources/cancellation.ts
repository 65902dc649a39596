import type { z } from 'zod';
import { always, model } from '../reading/composites.ts';
import { REQUIRED } from '../reading/faults.ts';
import { choice, dateTime, hexId, text } from '../reading/scalars.ts';
import { elsewhere } from './elsewhere.ts';
import { multilingualRequired } from './multilingual.ts';

const members = {
  id: text().optional(),
  ...multilingualRequired('reason'),
  status: choice(['pending', 'active']).default('pending'),
  cancellationOf: choice(['tender', 'lot']).default('tender'),
  relatedLot: hexId().optional(),
  date: dateTime().optional(),
  documents: elsewhere,
};

/** What may be sent for a cancellation (tenders.md 14). */
export const CancellationInput = model('Cancellation', members)
  .refine(({ cancellationOf, relatedLot }) => cancellationOf !== 'lot' || relatedLot !== undefined, {
    path: ['relatedLot'],
    error: REQUIRED,
    ...always,
  })
  .meta({ id: 'CancellationInput' });
export type CancellationInput = z.infer<typeof CancellationInput>;

export interface StoredCancellation extends Omit<CancellationInput, 'id' | 'date' | 'documents'> {
  readonly id: string;
  readonly date: string;
}

export const Cancellation = model('Cancellation', { ...members, id: text(), date: dateTime() }).meta({
  id: 'Cancellation',
});
