import { AUTHOR } from '@procurement/testing/bodies';
import type { Broker, Json } from './broker.ts';

/** A published tender with its owner's token. */
export interface PublishedTender {
  readonly id: string;
  readonly path: string;
  readonly token: string;
  /** `?acc_token=` of the owner. */
  readonly tokenQuery: string;
  readonly data: Json;
}

/** Publishes a tender. `config` is sent beside it. Throws if it is refused. */
export async function publish(buyer: Broker, tender: unknown, config?: Json): Promise<PublishedTender> {
  const body = config === undefined ? { data: tender } : { raw: JSON.stringify({ config, data: tender }) };
  const response = await buyer.request('POST', '/tenders', body);
  if (response.status !== 201) throw new Error(`not published: ${response.text}`);
  const { data, access } = response.body;
  return {
    id: data.id,
    path: `/tenders/${data.id}`,
    token: access.token,
    tokenQuery: `?acc_token=${access.token}`,
    data,
  };
}

/** A bidder in the form of segment 2.5. */
export const TENDERER = { ...AUTHOR, name: 'ТОВ Папір' } as const;
