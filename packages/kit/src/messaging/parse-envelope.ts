import { Envelope } from '@procurement/contracts/events/envelope';

/** Parses a published or stored event; undefined when the text is not an event envelope. */
export function parseEnvelope(text: string): Envelope | undefined {
  try {
    // The schema validates the value.
    const value: unknown = JSON.parse(text);
    return Envelope.safeParse(value).data;
  } catch {
    return undefined;
  }
}
