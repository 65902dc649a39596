import { z } from 'zod';

/** Groups that a caller may belong to (http.md 3.4). */
export const GROUPS = [
  'brokers',
  'auction',
  'chronograph',
  'reviewers',
  'bots',
  'Administrator',
  'admins',
  'contracting',
] as const;

/** Who stands behind an API key. Rows of the database and events are read through this. */
export const Broker = z.object({
  name: z.string().min(1),
  group: z.enum(GROUPS),
  /** One character each: digits are accreditations, `t` is test only, `x` has left. */
  levels: z.string(),
});
export type Broker = z.infer<typeof Broker>;

/** Components of the system: not limited in rate. */
export function isComponent(broker: Broker): boolean {
  return broker.group !== 'brokers';
}
