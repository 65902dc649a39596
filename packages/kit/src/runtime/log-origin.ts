import { z } from 'zod';

/** The setting of the name of the public log. */
export const logOriginSetting = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.:-]*(?:\/[a-z0-9._-]+)*$/, 'not an address without a scheme');
