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

/** Publishes a tender. Throws if it is refused. */
export async function publish(buyer: Broker, tender: unknown): Promise<PublishedTender> {
  const response = await buyer.post('/tenders', tender);
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

export const AUTHOR = {
  name: 'ФОП Литвин',
  identifier: { scheme: 'UA-EDR', id: '3012345678' },
  address: { countryName: 'Україна' },
  contactPoint: { name: 'Іван Литвин', email: 'lytvyn@example.com' },
} as const;

/** Text of an answer to a claim: the service requires 20 characters. */
export const LONG_RESOLUTION = 'Вимога відповідає стандарту ДСТУ';

/** A bidder in the form of segment 2.5. */
export const TENDERER = { ...AUTHOR, name: 'ТОВ Папір' } as const;
