import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { makeLog } from '@procurement/kit/runtime/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureNamed, planOf, plannedAt } from '../../test-support/fixtures.ts';
import type { Auction } from '../domain/auction.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';
import { evolve } from '../domain/auction.evolve.ts';
import type { Command } from '../domain/commands.ts';
import { makeHub, type Hub } from './hub.ts';

const FIXTURE = fixtureNamed('01-two-bidders');
const plan = planOf(FIXTURE);
const planned = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(FIXTURE), plan });
const [BID = ''] = plan.bids.map(({ id }) => id);

function after(auction: Auction, command: Command): Auction {
  const decision = decide(auction, command, command.type === 'Tick' ? plan.startAt : plannedAt(FIXTURE));
  return foldOnto(auction, 'accepted' in decision ? decision.accepted : []);
}

/** A browser that reads as much as the test says. */
function browser() {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableEnded: false,
    writableLength: 0,
    write: (frame: Buffer) => written.push(String(frame)),
    end(frame: Buffer) {
      written.push(String(frame));
      response.writableEnded = true;
      response.emit('close');
    },
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  // A stand-in for what the hub uses of a response.
  return { written, response, asResponse: response as unknown as ServerResponse };
}

let hub: Hub;
const seen = (auction: Auction) => ({ auction, aheadMicros: 0 });

beforeEach(() => {
  hub = makeHub({ now: () => plan.startAt, log: makeLog('test', 'fatal') });
});
afterEach(async () => hub.close(0));

describe('watchers', () => {
  it('who read too slowly are closed, and hurt no other (F27, A29)', () => {
    const [slow, fast] = [browser(), browser()];
    for (const { asResponse } of [slow, fast]) hub.add(plan.id, { response: asResponse }, seen(planned), undefined);
    slow.response.writableLength = 256 * 1024 + 1;
    hub.publish(seen(after(planned, { type: 'Cancel', reason: 'test' })));
    expect([slow.response.destroyed, fast.response.destroyed]).toEqual([true, false]);
    expect(fast.written.at(-1)).toContain('"phase":"cancelled"');
    expect(hub.count()).toBe(1);
  });

  it('who went away while their auction was read are not kept', () => {
    const gone = browser();
    gone.response.destroy();
    hub.add(plan.id, { response: gone.asResponse }, seen(planned), undefined);
    expect([hub.count(), hub.watched()]).toEqual([0, []]);
  });

  it('get no older state when news overtake each other', () => {
    const watcher = browser();
    const [first, second] = [planned, after(planned, { type: 'Tick' })];
    hub.add(plan.id, { response: watcher.asResponse }, seen(second), second.publicSeq);
    hub.publish(seen(first));
    expect(watcher.written).toEqual([]);
  });
});

describe('bidders', () => {
  it('lose their streams when their link is renewed (F32, A34)', () => {
    const [old, other] = [browser(), browser()];
    const bidder = { bid: BID, id: 'session', generation: 1 };
    hub.add(plan.id, { response: old.asResponse, bidder }, seen(planned), planned.publicSeq);
    hub.add(plan.id, { response: other.asResponse }, seen(planned), planned.publicSeq);
    const renewed = after(planned, { type: 'RenewLink', bid: BID });
    hub.publish(seen(renewed));
    expect(old.written.at(-1)).toContain('event: bye');
    expect([hub.count('bidders'), hub.count(), other.written]).toEqual([0, 1, []]);
    const late = browser();
    hub.add(plan.id, { response: late.asResponse, bidder }, seen(renewed), undefined);
    expect(late.written.join('')).not.toContain('event: mine');
  });

  it('are counted by session and by bid', () => {
    for (const id of ['one', 'one', 'two']) {
      hub.add(plan.id, { response: browser().asResponse, bidder: { bid: BID, id, generation: 1 } }, seen(planned), 0);
    }
    expect([hub.streamsOf(plan.id, 'one'), hub.devices(plan.id, BID)]).toEqual([2, 3]);
  });
});
