import { Envelope } from '@procurement/contracts/events/envelope';

/** An event as it travels and is stored; undefined when the text is none. */
export function parseEnvelope(text: string): Envelope | undefined {
  try {
    // Whatever it is, the schema judges it.
    const value: unknown = JSON.parse(text);
    return Envelope.safeParse(value).data;
  } catch {
    return undefined;
  }
}
