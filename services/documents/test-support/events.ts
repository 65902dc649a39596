import type { Envelope } from '@procurement/contracts/events/envelope';
import { makeEvent as eventAt } from '@procurement/testing/event';

/** Time at which tests begin. */
export const NOW = '2026-05-12T10:15:00.120034+03:00';

/** An event of another service. */
export function buildEvent(source: string, type: string, subject: string, data: object): Envelope {
  return eventAt({ source, type, subject, time: NOW, data });
}
