import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WebSocket } from '@fastify/websocket';
import { makeLog } from '@procurement/kit/runtime/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixtureNamed, buildPlan, plannedAt } from '../../test-support/fixtures.ts';
import type { Auction } from '../domain/auction.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';
import { evolve } from '../domain/auction.evolve.ts';
import type { Command } from '../domain/commands.ts';
import { makeHub, type Hub } from './hub.ts';
import { outletOfEvents, outletOfSocket } from './outlets.ts';

const FIXTURE = fixtureNamed('01-two-bidders');
const plan = buildPlan(FIXTURE);
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
  return { written, response, outlet: outletOfEvents(response as unknown as ServerResponse) };
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
    for (const { outlet } of [slow, fast]) hub.add(plan.id, { outlet }, seen(planned), undefined);
    slow.response.writableLength = 256 * 1024 + 1;
    hub.publish(seen(after(planned, { type: 'Cancel', reason: 'test' })));
    expect([slow.response.destroyed, fast.response.destroyed]).toEqual([true, false]);
    expect(fast.written.at(-1)).toContain('"phase":"cancelled"');
    expect(hub.count()).toBe(1);
  });

  it('who went away while their auction was read are not kept', () => {
    const gone = browser();
    gone.response.destroy();
    hub.add(plan.id, { outlet: gone.outlet }, seen(planned), undefined);
    expect([hub.count(), hub.watched()]).toEqual([0, []]);
  });

  it('get no older state when news overtake each other', () => {
    const watcher = browser();
    const [first, second] = [planned, after(planned, { type: 'Tick' })];
    hub.add(plan.id, { outlet: watcher.outlet }, seen(second), second.publicSeq);
    hub.publish(seen(first));
    expect(watcher.written).toEqual([]);
  });
});

describe('what keeps connections open', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    hub = makeHub({ now: () => plan.startAt, log: makeLog('test', 'fatal') });
  });
  afterEach(() => void vi.useRealTimers());

  it('goes to sockets and bidders every 5 s, to streams of watchers every 15 s', () => {
    const [stream, socket, bidder] = [browser(), browser(), browser()];
    const { format } = outletOfSocket(new EventEmitter() as unknown as WebSocket);
    hub.add(plan.id, { outlet: stream.outlet }, seen(planned), planned.publicSeq);
    hub.add(plan.id, { outlet: { ...socket.outlet, format } }, seen(planned), planned.publicSeq);
    const who = { bid: BID, entry: 1, generation: 1 };
    hub.add(plan.id, { outlet: bidder.outlet, bidder: who }, seen(planned), planned.publicSeq);
    for (const { written } of [stream, socket, bidder]) written.length = 0;
    vi.advanceTimersByTime(15_000);
    expect(socket.written).toEqual(['PING', 'PING', 'PING']);
    expect(
      [stream, bidder].map(({ written }) => written.filter((frame) => frame.includes('event: time')).length),
    ).toEqual([1, 3]);
  });
});

describe('bidders', () => {
  it('lose their streams when their link is renewed (F32, A34)', () => {
    const [old, other] = [browser(), browser()];
    const bidder = { bid: BID, entry: 1, generation: 1 };
    hub.add(plan.id, { outlet: old.outlet, bidder }, seen(planned), planned.publicSeq);
    hub.add(plan.id, { outlet: other.outlet }, seen(planned), planned.publicSeq);
    const renewed = after(planned, { type: 'RenewLink', bid: BID });
    hub.publish(seen(renewed));
    expect(old.written.at(-1)).toContain('event: bye');
    expect([hub.count('bidders'), hub.count(), other.written]).toEqual([0, 1, []]);
    const late = browser();
    hub.add(plan.id, { outlet: late.outlet, bidder }, seen(renewed), undefined);
    expect(late.written.join('')).not.toContain('event: mine');
  });

  it('lose the streams of a session that newer ones end', () => {
    const [old, next] = [browser(), browser()];
    hub.add(plan.id, { outlet: old.outlet, bidder: { bid: BID, entry: 1, generation: 1 } }, seen(planned), 0);
    hub.add(plan.id, { outlet: next.outlet, bidder: { bid: BID, entry: 2, generation: 1 } }, seen(planned), 0);
    let entered = planned;
    for (let entry = 1; entry <= 6; entry += 1) entered = after(entered, { type: 'Enter', bid: BID, generation: 1 });
    hub.publish(seen(entered));
    expect(old.written.at(-1)).toContain('event: bye');
    expect([hub.count('bidders'), next.response.writableEnded]).toEqual([1, false]);
  });

  it('are counted by bid, whatever their session', () => {
    for (const entry of [1, 1, 2]) {
      hub.add(plan.id, { outlet: browser().outlet, bidder: { bid: BID, entry, generation: 1 } }, seen(planned), 0);
    }
    expect(hub.devices(plan.id, BID)).toBe(3);
  });
});
