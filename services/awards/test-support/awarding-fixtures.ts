import type { Envelope } from '@procurement/contracts/events/envelope';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { onBidChanged } from '../src/events/on-bid-changed.ts';
import { onBidOpened } from '../src/events/on-bid-opened.ts';
import { AUTHOR, bid } from './run-command.ts';
import {
  anonymousHeaders,
  bidderHeaders,
  event,
  headersWithToken,
  ownerHeaders,
  send,
  type RunningAwards,
} from './running-awards.ts';

export const BIDS = [bid('b1', 390), bid('b2', 400)];
export const CLAIM = { author: AUTHOR, title: 'Вимога', status: 'claim' };

export function bidsOpened(tenderId: string, bids: readonly object[] = BIDS): Envelope {
  return event('bids', 'bid.opened', tenderId, { id: tenderId, bids });
}

export async function applyBidsOpened(running: RunningAwards, ...events: readonly Envelope[]): Promise<void> {
  await running.apply(onBidOpened(running.deps.externalInputs), events);
}

export async function storedAwards(running: RunningAwards, tenderId: string): Promise<readonly StoredAward[]> {
  return (await running.deps.awardings.find(tenderId)).awards;
}

/** Adds a sealed bid of `bidderHeaders` to the local replica. */
export async function addBid(running: RunningAwards, tenderId: string, overrides: object = {}): Promise<void> {
  const owner = { owner: 'broker2', ownerTokenHash: sha256Hex('bid token') };
  const facts = {
    id: running.deps.ids.next(),
    tenderId,
    version: 1,
    status: 'active',
    lots: [],
    ...owner,
    ...overrides,
  };
  await running.apply(onBidChanged, [event('bids', 'bid.registered', tenderId, facts)]);
}

/** A tender in qualification with two opened bids; its first award is pending. */
export async function createQualification(running: RunningAwards, overrides: Partial<TenderFacts> = {}) {
  const tender = await running.addTender(overrides);
  await applyBidsOpened(running, bidsOpened(tender.id));
  const path = `/tenders/${tender.id}`;
  const awards = (await send(running.app, 'GET', `${path}/awards`, anonymousHeaders)).json().data;
  return { tender, path, award: `${path}/awards/${awards[0].id}`, awards };
}

/** A tender whose first award is active, with its pending contract. */
export async function createAwarded(running: RunningAwards, overrides: Partial<TenderFacts> = {}) {
  const qualification = await createQualification(running, overrides);
  const { path, award } = qualification;
  const response = await send(running.app, 'PATCH', award, ownerHeaders, { status: 'active' });
  if (response.statusCode !== 200) throw new Error(`activation failed: ${response.body}`);
  const [contract] = (await send(running.app, 'GET', `${path}/contracts`, anonymousHeaders)).json().data;
  return { ...qualification, contract, contractPath: `${path}/contracts/${contract.id}` };
}

/** A claim about the first award of a tender with one bid; `complainant` owns the claim. */
export async function createComplaint(running: RunningAwards, overrides: Partial<TenderFacts> = {}) {
  const tender = await running.addTender(overrides);
  await addBid(running, tender.id);
  await applyBidsOpened(running, bidsOpened(tender.id, [bid('b1', 390)]));
  const [award] = (await send(running.app, 'GET', `/tenders/${tender.id}/awards`, anonymousHeaders)).json().data;
  const collection = `/tenders/${tender.id}/awards/${award.id}/complaints`;
  const response = await send(running.app, 'POST', collection, bidderHeaders, CLAIM);
  const { data, access } = response.json();
  return {
    tender,
    award,
    collection,
    response,
    data,
    path: `${collection}/${data.id}`,
    complainant: headersWithToken(access.token),
  };
}

/** The title of a test block: `POST /tenders/:tender_id/awards`. */
export function operationTitle({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}
