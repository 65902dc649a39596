import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { dateTime, hexId, oneOf, text } from '../reading/scalars.ts';
import { CHANGE_RATIONALE_TYPES } from './change-rationale-types.ts';
import { multilingualRequired } from './multilingual.ts';

export const CHANGE_STATUSES = ['pending', 'active'] as const;

/** Body of POST, where `status` is ignored, and a changed change of a contract (contracting.md 5). */
export const ContractChangeInput = model('Change', {
  id: text('identifier').optional(),
  date: dateTime().optional(),
  status: oneOf(CHANGE_STATUSES).optional(),
  rationaleTypes: list('rationaleTypes', oneOf(CHANGE_RATIONALE_TYPES), { min: 1 }),
  ...multilingualRequired('rationale', 'description', { charactersMin: 1 }),
  contractNumber: text('identifier').optional(),
  dateSigned: dateTime().optional(),
}).meta({ id: 'ContractChangeInput' });
type ContractChangeInput = z.infer<typeof ContractChangeInput>;

/** A stored change of a contract; public as a whole. */
export interface StoredContractChange extends Omit<ContractChangeInput, 'id' | 'date' | 'status'> {
  readonly id: string;
  /** The moment of its creation, then of its activation. */
  readonly date: string;
  readonly status: (typeof CHANGE_STATUSES)[number];
}

/** A change of a contract in answers. */
export const ContractChange = model('Change', {
  ...ContractChangeInput.shape,
  id: hexId(),
  date: dateTime(),
  status: oneOf(CHANGE_STATUSES),
  rationaleTypes: z.array(oneOf(CHANGE_RATIONALE_TYPES)),
}).meta({ id: 'ContractChange' });
