import { dataSchemaUri, type Envelope } from '@procurement/contracts/events/envelope';
import { secureIds } from '@procurement/kit/runtime/ids';

export interface EventOptions {
  /** Name of the service that publishes it. */
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  /** Version of the subject; 1 when absent. */
  readonly version?: number;
  readonly data: object;
}

/** An event of another service, as it arrives. */
export function makeEvent({ source, type, subject, time, version = 1, data }: EventOptions): Envelope {
  return {
    specversion: '1.0',
    id: secureIds.nextUuid(),
    source: `/${source}`,
    type,
    subject,
    time,
    datacontenttype: 'application/json',
    dataschema: dataSchemaUri(`${type}/1`),
    correlationid: 'a request',
    causationid: 'a request',
    aggregateversion: version,
    data,
  };
}
