import type { Envelope } from '@procurement/contracts/events/envelope';
import { secureMint } from '@procurement/kit/ids';

/** When tests begin. */
export const NOW = '2026-05-12T10:15:00.120034+03:00';

/** An event of another service. */
export function eventOf(source: string, type: string, subject: string, data: object): Envelope {
  return {
    specversion: '1.0',
    id: secureMint.uuid(),
    source: `/${source}`,
    type,
    subject,
    time: NOW,
    datacontenttype: 'application/json',
    dataschema: `${type}/1`,
    correlationid: 'a request',
    causationid: 'a request',
    sequence: 1,
    data,
  };
}
