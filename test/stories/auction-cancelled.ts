import { expect } from 'vitest';
import { toNextCheck } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { publish } from '../support/tender-file.ts';
import { castOf } from './cast.ts';
import { file } from './files.ts';
import { TENDERER_X, TENDERER_Y } from './parties.ts';
import { untilPlanned, untilTender } from './waiting.ts';
import type { World } from '../support/world.ts';

/** A cancellation in the middle of the auction: the bids are erased, and nothing is accepted after it (bids-awards-auction.md 6.5). */
export async function playAuctionCancelled(world: World): Promise<void> {
  const { story, buyer, first, second, auction, anyone, operator } = castOf(
    world,
    world.recorder('2.5/auction-cancelled'),
  );

  story.note('A cancellation in the middle of the auction.');
  const { id, path, owned } = await publish(buyer, plainTender());
  story.note('The enquiry period ends.');
  await toNextCheck(operator, id);
  const x = (await first.post(`${path}/bids`, { tenderers: [TENDERER_X], value: { amount: 400 } })).body;
  await second.post(`${path}/bids`, { tenderers: [TENDERER_Y], value: { amount: 410 } });
  story.note('The tendering period ends; then the auction begins.');
  await untilPlanned(operator, path);
  await toNextCheck(operator, id);
  await toNextCheck(operator, id);
  expect((await auction.get(`${path}/auction`)).status).toBe(200);

  const waiting = await buyer.post(`${path}/cancellations${owned}`, { reason: 'Потреба відпала' });
  expect([waiting.status, waiting.body.data.status]).toEqual([201, 'pending']);
  const cancellation = `${path}/cancellations/${waiting.body.data.id}`;
  const why = file('decision.pdf', 'application/pdf', '%PDF-1.4 Рішення про скасування');
  expect((await buyer.request('POST', `${cancellation}/documents${owned}`, why)).status).toBe(201);
  await untilTender(operator, path, 'the file', ({ cancellations }) => cancellations[0].documents !== undefined);
  const active = await buyer.patch(`${cancellation}${owned}`, { status: 'active' });
  expect([active.status, active.body.data.status]).toEqual([200, 'active']);
  await untilTender(operator, path, 'nothing of the bids', ({ numberOfBids }) => numberOfBids === 0);
  expect((await anyone.get(path)).body.data.status).toBe('cancelled');

  const audit = file('audit.yaml', 'text/yaml', `id: ${id}`);
  const texts = [
    (await auction.get(`${path}/auction`)).body.errors[0].description,
    (await auction.post(`${path}/auction`, { bids: [{}, {}] })).body.errors[0].description,
    (await auction.request('POST', `${path}/documents`, audit)).body.errors[0].description,
  ];
  expect(texts).toEqual([
    "Can't get auction info in current (cancelled) tender status",
    "Can't report auction results in current (cancelled) tender status",
    "Can't add document in current (cancelled) tender status",
  ]);
  const mine = await first.get(`${path}/bids/${x.data.id}?acc_token=${x.access.token}`);
  expect([mine.status, mine.body.errors[0].name]).toEqual([404, 'bid_id']);
  expect((await anyone.get(`${path}/bids`)).body).toEqual({ data: [] });
  await story.matches();
}
