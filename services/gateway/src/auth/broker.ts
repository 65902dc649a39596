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

/** One character each (http.md 3.1). */
export const LEVELS = /^[1-9tx]*$/;
export const LEVELS_RULE = 'levels are digits from 1 to 9, t for test tenders only, and x for a broker that has left';

/** Owner of an API key. Database rows and events are parsed with this schema. */
export const Broker = z.object({
  name: z.string().min(1),
  group: z.enum(GROUPS),
  levels: z.string(),
});
export type Broker = z.infer<typeof Broker>;

/** True for components of the system, which have no rate limit. */
export function isComponent(broker: Broker): boolean {
  return broker.group !== 'brokers';
}
