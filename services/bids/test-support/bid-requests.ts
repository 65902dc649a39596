import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { bidBody, type JsonObject } from './bidding-facts.ts';

export type Headers = Readonly<Record<string, string>>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';

/** The broker that posts bids in tests. */
export const bidderHeaders = signedIdentity({ broker: 'broker2' });

/** Sends one request as the gateway forwards it. */
export async function send(app: FastifyInstance, method: Method, url: string, headers: Headers, data?: unknown) {
  if (data === undefined) return app.inject({ method, url, headers });
  const payload = JSON.stringify({ data });
  return app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' }, payload });
}

/** Headers of the owner of a bid: its broker with its token. */
export function ownerHeaders(token: string, broker = 'broker2'): Headers {
  return signedIdentity({ broker, tokenHash: sha256Hex(token) });
}

/** A bid that was accepted. */
export interface PostedBid {
  readonly id: string;
  readonly path: string;
  readonly token: string;
  /** Plain JSON: tests assert on its members. */
  readonly data: any;
  readonly owner: Headers;
}

/** Posts a bid; throws when it is not accepted. */
export async function postBid(
  app: FastifyInstance,
  tenderId: string,
  data: JsonObject = bidBody(),
): Promise<PostedBid> {
  const response = await send(app, 'POST', `/tenders/${tenderId}/bids`, bidderHeaders, data);
  if (response.statusCode !== 201) throw new Error(`not accepted: ${response.body}`);
  const { data: bid, access } = response.json();
  return {
    id: bid.id,
    path: `/tenders/${tenderId}/bids/${bid.id}`,
    token: access.token,
    data: bid,
    owner: ownerHeaders(access.token),
  };
}

/** Events of a tender in the outbox, in order. Plain JSON: tests assert on its members. */
export async function publishedBidEvents(pool: pg.Pool, tenderId: string): Promise<any[]> {
  const { rows } = await pool.query(
    `SELECT envelope, reply_to FROM kit.outbox WHERE subject LIKE '%.' || $1 ORDER BY position`,
    [tenderId],
  );
  return rows.map((row) => ({ ...JSON.parse(row.envelope), asksForAppliedAck: row.reply_to !== null }));
}
