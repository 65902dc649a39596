/** Largest event in bytes that a request may cause, unless it says otherwise: what one caller may add to an aggregate. */
export const EVENT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Largest event in bytes. Events that NATS does not accept are published by reference
 * (docs/decisions/0057-size-of-events-and-streams.md); relay and consumers hold one of them at a time.
 */
export const EVENT_BYTES_HARD_MAX = 64 * 1024 * 1024;
