import { createHash } from 'node:crypto';
import { DataReference, type Envelope } from '@procurement/contracts/events/envelope';
import { eventDataSubject } from '@procurement/contracts/events/subjects';
import type { Bus } from '../bus.ts';
import { EVENT_BYTES_HARD_MAX } from '../event-bytes.ts';
import { sendRequest } from '../request/request.ts';

const REQUEST_TIMEOUT_MS = 2_000;

/**
 * The event with its data. Undefined when its publisher does not respond, or `isStopped`: then ask again later. Throws when the
 * publisher does not have the data, or other data.
 */
export async function fetchEventData(
  bus: Bus,
  event: Envelope,
  isStopped: () => boolean = () => false,
): Promise<Envelope | undefined> {
  const { dataref: _dataref, datasize, datasha256, ...attributes } = event;
  const reference = DataReference.parse(event);
  if (reference.datasize > EVENT_BYTES_HARD_MAX)
    throw new Error(`data of ${datasize} bytes is larger than an event may be`);
  const subject = eventDataSubject(event.source.replace(/^\//, ''));
  const parts: Buffer[] = [];
  let received = 0;
  while (received < reference.datasize) {
    if (isStopped()) return undefined;
    const response = await sendRequest(bus, subject, { id: event.id, from: received }, REQUEST_TIMEOUT_MS);
    if (response.kind === 'unavailable') return undefined;
    if (typeof response.value !== 'string') throw new Error(`${subject} does not have the data of the event`);
    const part = Buffer.from(response.value, 'base64');
    parts.push(part);
    received += part.length;
    if (part.length === 0) break;
  }
  const data = Buffer.concat(parts);
  const digest = createHash('sha256').update(data).digest('hex');
  if (digest !== datasha256) throw new Error(`the data from ${subject} does not have the digest of the event`);
  return { ...attributes, data: JSON.parse(data.toString()) };
}
