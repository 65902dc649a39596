import { z } from 'zod';

/** A collection with its own endpoints. A client may send it with its parent; it is ignored. */
export const ignoredMember = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Changed through its own endpoints' });
