import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enterRoom, newestRecords, roomState, toNextStage, watchRoom, type TestRoom } from '../support/auction-room.ts';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { startRoomSystem, type RoomSystem } from '../support/room-system.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { storyContextWith } from '../support/story-context.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';
import { playAuctionCancelled } from '../e2e/stories/auction-cancelled.ts';
import { playFeatures } from '../e2e/stories/features.ts';
import { playNoBids } from '../e2e/stories/no-bids.ts';
import { playOneBid } from '../e2e/stories/one-bid.ts';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { playTwoLots } from '../e2e/stories/two-lots.ts';

let system: RoomSystem;
let gatewayUrl: string;
let room: TestRoom;
let anyone: Broker;
beforeAll(async () => {
  system = await startRoomSystem();
  ({ gatewayUrl, room } = system);
  anyone = patientBroker(gatewayUrl, undefined, '2.5');
});
afterAll(async () => system.stop());

describe('the auction room', () => {
  it('gets nothing to do from a tender without auction (contracting.md 11)', async () => {
    const buyer = patientBroker(gatewayUrl, 'broker1', '2.5');
    const { id, path } = await publish(buyer, minimalTender({ minimalStep: undefined }), { hasAuction: false });
    await moveToNextCheck(buyer, id);
    for (const [n, key] of ['broker2', 'broker3'].entries()) {
      const bid = { tenderers: [TENDERER], value: { amount: 460 - n } };
      expect((await patientBroker(gatewayUrl, key, '2.5').post(`${path}/bids`, bid)).status).toBe(201);
    }
    expect((await moveToNextCheck(buyer, id)).awards[0].value.amount).toBe(459);
    // The room reads the feed in order: an auction that began later was found by it, and this tender before.
    const later = await tenderInAuction(gatewayUrl, ['broker2', 'broker3']);
    await later.links();
    expect((await fetch(`${room.url}/tenders/${id}`)).status).toBe(404);
    expect((await anyone.get(path)).body.data.auctionUrl).toBeUndefined();
  });

  it('holds the auction of a tender from the published links to the award, though it is killed in a turn', async () => {
    const { id, path, links } = await tenderInAuction(gatewayUrl, ['broker2', 'broker3']);
    const players = await Promise.all((await links()).map(enterRoom));
    const watcher = watchRoom(room.url, id);
    const stageIs = async (stage: number): Promise<Json> =>
      until(`stage ${stage}`, async () => {
        const state = await roomState(room.url, id);
        return state?.current_stage >= stage && state;
      });
    // The bids have the links; the tender may show the address later.
    await until('the address of the auction', async () => {
      const { auctionUrl } = (await anyone.get(path)).body.data;
      return auctionUrl === `${room.url}/tenders/${id}`;
    });
    await until('the first frame of the watcher', async () => watcher.frames.length > 0);
    for (let stage = 0; stage <= 8; stage += 1) {
      await toNextStage(room.url, id);
      const { stages } = await stageIs(stage);
      const player = players.find(({ bid }) => bid === stages[stage].bidder_id);
      if (player === undefined) continue;
      const { limit } = await player.mine();
      const first = await player.offer(limit, `offer-of-stage-${stage}`);
      expect([first.status, first.body.accepted], JSON.stringify(first.body)).toEqual([200, limit]);
      const other = players.find(({ bid }) => bid !== player.bid);
      expect((await other?.offer(100))?.body.errors[0].code).toBe('offer.not-your-turn');
      if (stage !== 4) continue;
      await room.kill();
      await room.start();
      const repeated = await player.offer(limit, `offer-of-stage-${stage}`);
      expect(repeated.body).toMatchObject({ accepted: limit, repeat: true });
    }
    await toNextStage(room.url, id);
    await toNextStage(room.url, id);
    const over = await until('the results at the tender', async () => {
      const tender = (await anyone.get(path)).body.data;
      return tender.status === 'active.qualification' && newestRecords(tender).length === 1 && tender;
    });
    const results = (await roomState(room.url, id)).results.map((line: Json) => [line.bidder_id, line.amount]);
    expect(results.map(([, amount]: Json) => amount)).toEqual([374, 364]);
    expect(over.awards.map((award: Json) => [award.bid_id, award.value.amount])).toEqual([results[1]]);
    expect(newestRecords(over)).toMatchObject([{ title: `audit_${id}.yaml`, author: 'auction' }]);
    const announced = await until('the names', async () => {
      const state = await roomState(room.url, id);
      return state.phase === 'announced' && state.results[0].label.en === TENDERER.name && state;
    });
    expect(announced.current_stage).toBe(10);
    watcher.close();
    expect(watcher.frames[0]).toMatchObject({ current_stage: -1, phase: 'planned' });
  });
});

describe('a story whose auctions the room holds (A50)', () => {
  it.concurrent.each([
    ['two bids', playTwoBids],
    ['two lots', playTwoLots],
    ['one bid', playOneBid],
    ['no bids', playNoBids],
    ['a cancellation in the auction', playAuctionCancelled],
    ['features', playFeatures],
  ])('%s', async (_name, play) => {
    await play(storyContextWith({ url: room.url }, gatewayUrl));
  });
});

const DEMO = join(import.meta.dirname, '../demo/main.ts');

describe('npm run procedure', () => {
  it('plays a procedure with the auction in the room (A53)', async () => {
    const args = ['--conditions=source', '--import=tsx', DEMO, gatewayUrl, '--room', room.url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    // Three rounds of two turns: each bidder lowers its price by a step.
    const turns = [...stdout.matchAll(/Bidder #\d {2}([\d.]+) -> ([\d.]+) {2}200$/gm)];
    expect(turns.map(([, before, after]) => Number(before) - Number(after))).toEqual([35, 35, 35, 35, 35, 35]);
    expect(stdout).toMatch(/^UA-\S+ is complete: \d+ exchanges in /m);
  });
});
