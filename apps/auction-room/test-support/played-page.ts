import { addMicros, parseInstant, SECOND } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { bidderView } from '../src/domain/bidder-view.ts';
import { publicDocument } from '../src/domain/public-document.ts';
import { loadPage, type Language } from '../src/http/page.ts';
import { fixtureNamed } from './fixtures.ts';
import { buildCommand, plannedAuction } from './play-fixture.ts';

const PAGE_FOLDER = new URL('../page/', import.meta.url);
const FIXTURE = fixtureNamed('02-three-bidders');

export interface ShownAuction {
  readonly lang?: Language;
  /** Seconds after the start. */
  readonly seconds: number;
  /** The bid whose page it is; absent for a watcher. */
  readonly bid?: string;
  /** Members of the public document that differ. */
  readonly state?: (document: JsonObject) => JsonObject;
  readonly portal?: string;
  readonly message?: string;
}

/** The page of the worked auction of three bidders, as the server renders it. */
export async function pageOfAuction({
  lang = 'uk',
  seconds,
  bid,
  state,
  portal,
  message,
}: ShownAuction): Promise<string> {
  const page = await loadPage(PAGE_FOLDER, portal);
  const played = plannedAuction(FIXTURE);
  const now = addMicros(parseInstant(FIXTURE.auction.start), seconds * SECOND);
  for (const [index, step] of FIXTURE.timeline.entries()) {
    const at = parseInstant(step.at);
    if (at > now) break;
    played.run({ type: 'Tick' }, at);
    played.run(buildCommand(step, index), at);
  }
  played.run({ type: 'Tick' }, now);
  const auction = played.state();
  const document = publicDocument(auction, now);
  return page.auctionPage({
    lang,
    base: page.base,
    state: state?.(document) ?? document,
    ...(bid === undefined ? {} : { mine: { ...bidderView(auction, bid), csrf: 'token' } }),
    ...(message === undefined ? {} : { message }),
  });
}
