import { z } from 'zod';

/** Where a contract is. The answer never changes, once it names a tender. */
export const ContractPlaceRequest = z.object({ id: z.string() });
export const ContractPlace = z.object({ tenderId: z.string().optional() });
