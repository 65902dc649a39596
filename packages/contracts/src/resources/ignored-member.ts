import { z } from 'zod';

/** A collection that has endpoints of its own: a client may send it back with its parent, and it is passed over. */
export const ignoredMember = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Changed through its own endpoints' });
