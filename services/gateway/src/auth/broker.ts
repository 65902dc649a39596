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

/** A name is part of NATS subjects, so it consists of words separated by dots. */
export const BROKER_NAME = /^[\w-]+(?:\.[\w-]+)*$/;

/** Owner of an API key. Database rows and events are parsed with this schema. */
export const Broker = z.object({
  name: z.string().min(1),
  group: z.enum(GROUPS),
  /** One character each: digits are accreditations, `t` allows test tenders only, `x` marks a broker that has left. */
  levels: z.string(),
});
export type Broker = z.infer<typeof Broker>;

/** True for components of the system, which have no rate limit. */
export function isComponent(broker: Broker): boolean {
  return broker.group !== 'brokers';
}
