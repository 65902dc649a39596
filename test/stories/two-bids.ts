import { expect } from 'vitest';
import { until, type Broker, type Json } from '../support/broker.ts';
import { toNextCheck, moveClock } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { AUTHOR, publish } from '../support/tender-file.ts';
import type { World } from '../support/world.ts';
import { castOf } from './cast.ts';
import { file } from './files.ts';
import { TENDERER_X, TENDERER_Y } from './parties.ts';
import { untilPlanned, untilTender } from './waiting.ts';

const LONG = 'Вимога відповідає стандарту ДСТУ';

/** Two bids, an auction, a disqualification, a complaint and a signed contract (bids-awards-auction.md 6.1). */
export async function playTwoBids(world: World): Promise<void> {
  const cast = castOf(world, world.recorder('2.5/two-bids'));
  const { story, buyer, first, second, auction, anyone, operator, firstUnrecorded } = cast;
  story.note('Two bids, an auction, a disqualification, a contract. Periods of days last minutes (accelerator=1440).');
  const { id, path, owned } = await publish(
    buyer,
    plainTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
  );
  const bid = (tenderer: unknown, amount: number, more = {}): Json => ({
    tenderers: [tenderer],
    value: { amount },
    ...more,
  });

  expect((await first.post(`${path}/bids`, bid(TENDERER_X, 469))).status).toBe(403);
  story.note('The enquiry period ends: bids are awaited, and the auction is planned.');
  await toNextCheck(operator, id);
  const x = (await first.post(`${path}/bids`, bid(TENDERER_X, 469))).body;
  const y = (await second.post(`${path}/bids`, bid(TENDERER_Y, 479, { status: 'draft' }))).body;
  const [ofX, ofY] = [`?acc_token=${x.access.token}`, `?acc_token=${y.access.token}`];
  await uploaded(second, `${path}/bids/${y.data.id}/documents${ofY}`, 'пропозиція.pdf');
  const active = await second.patch(`${path}/bids/${y.data.id}${ofY}`, { status: 'active' });
  expect([active.body.data.status, active.body.data.date]).toEqual(['active', y.data.date]);
  const above = await first.patch(`${path}/bids/${x.data.id}${ofX}`, { value: { amount: 501 } });
  expect([above.status, above.body.errors[0].name]).toEqual([422, 'value']);
  expect((await anyone.get(`${path}/bids`)).status).toBe(403);
  expect((await first.get(`${path}/bids/${x.data.id}${ofX}`)).body.data.value.amount).toBe(469);
  await untilPlanned(operator, path);

  story.note('The tendering period ends.');
  const closed = await toNextCheck(operator, id);
  expect([closed.status, closed.bids, closed.next_check]).toEqual([
    'active.auction',
    undefined,
    closed.auctionPeriod.startDate,
  ]);
  const record = await auction.get(`${path}/auction`);
  expect(record.body.data.bids.map((one: Json) => [one.id, one.value.amount, one.tenderers])).toEqual([
    [x.data.id, 469, undefined],
    [y.data.id, 479, undefined],
  ]);
  const auctionUrl = 'https://auction.example.org/tenders/1';
  const links = [x, y].map(({ data }) => ({
    id: data.id,
    participationUrl: `${auctionUrl}/login?bidder_id=${data.id}`,
  }));
  expect((await auction.patch(`${path}/auction`, { auctionUrl, bids: links })).status).toBe(200);
  await until('the link of the bidder', async () => {
    const mine = await firstUnrecorded.get(`${path}/bids/${x.data.id}${ofX}`);
    return mine.body.data.participationUrl === links[0]?.participationUrl;
  });
  expect((await first.get(`${path}/bids/${x.data.id}${ofX}`)).body.data.participationUrl).toBe(
    links[0]?.participationUrl,
  );
  const announced = (await anyone.get(path)).body.data;
  expect([announced.auctionUrl, announced.bids]).toEqual([auctionUrl, undefined]);

  story.note('The auction is held.');
  await toNextCheck(operator, id);
  const results = [
    { id: x.data.id, value: { amount: 390 }, date: x.data.date },
    { id: y.data.id, value: { amount: 400 }, date: y.data.date },
  ];
  const audit = await uploaded(auction, `${path}/documents`, 'audit.yaml');
  expect(audit.author).toBe('auction');
  const reported = await auction.post(`${path}/auction`, { bids: results });
  expect([reported.status, reported.body.data.status]).toEqual([200, 'active.qualification']);
  const [a1] = reported.body.data.awards;
  expect(a1).toMatchObject({ status: 'pending', bid_id: x.data.id, value: { amount: 390 } });
  expect(reported.headers.get('location')).toMatch(new RegExp(`${path}/awards/${a1.id}$`));
  const named = file('audit.yaml', 'text/yaml', 'bidders: named');
  expect((await auction.request('PUT', `${path}/documents/${audit.id}`, named)).body.data.id).toBe(audit.id);
  const other = results.map((result) => ({ ...result, value: { amount: 380 } }));
  expect((await auction.post(`${path}/auction`, { bids: other })).status).toBe(403);
  expect((await auction.post(`${path}/auction`, { bids: results })).status).toBe(200);
  expect((await anyone.get(`${path}/bids`)).body.data.map((one: Json) => one.value.amount)).toEqual([390, 400]);

  await uploaded(buyer, `${path}/awards/${a1.id}/documents${owned}`, 'протокол.pdf');
  await untilFiled(operator, `${path}/awards/${a1.id}`);
  const lost = await buyer.patch(`${path}/awards/${a1.id}${owned}`, { status: 'unsuccessful' });
  const a2 = lost.headers.get('location')?.split('/').at(-1);
  const won = await buyer.patch(`${path}/awards/${a2}${owned}`, { status: 'active' });
  expect([lost.status, won.status]).toEqual([200, 200]);
  await untilTender(operator, path, 'the contract', ({ status }) => status === 'active.awarded');
  const awarded = (await anyone.get(path)).body.data;
  expect(awarded.status).toBe('active.awarded');
  const [contract] = awarded.contracts;
  expect(contract).toMatchObject({ status: 'pending', contractID: `${awarded.tenderID}-1`, value: { amount: 400 } });
  const signing = `${path}/contracts/${contract.id}${owned}`;
  const early = await buyer.patch(signing, { status: 'active' });
  expect(early.body.errors[0].description).toMatch(/^Can't sign contract before stand-still period end/);

  const claim = await first.post(`${path}/awards/${a1.id}/complaints${ofX}`, {
    author: AUTHOR,
    title: 'Безпідставна дискваліфікація',
    status: 'claim',
  });
  expect([claim.status, claim.body.data.complaintID]).toEqual([201, `${awarded.tenderID}.1`]);
  const complaint = `${path}/awards/${a1.id}/complaints/${claim.body.data.id}`;
  const answer = { status: 'answered', resolutionType: 'declined', resolution: LONG };
  expect((await buyer.patch(`${complaint}${owned}`, answer)).body.data.status).toBe('answered');
  story.note('The stand-still ends.');
  await moveClock(operator, id, { advance: 'PT2M10S' });
  const blocked = await buyer.patch(signing, { status: 'active' });
  expect(blocked.body.errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  const resolved = await first.patch(`${complaint}?acc_token=${claim.body.access.token}`, {
    status: 'resolved',
    satisfied: true,
  });
  expect(resolved.body.data.status).toBe('resolved');
  const dear = await buyer.patch(signing, { value: { amount: 401 } });
  expect(dear.body.errors[0].description).toBe('Value amount should be less or equal to awarded amount (400.0)');
  expect((await buyer.patch(signing, { value: { amount: 380 }, contractNumber: '7' })).body.data.value.amount).toBe(
    380,
  );
  await uploaded(buyer, `${path}/contracts/${contract.id}/documents${owned}`, 'договір.pdf');
  await untilFiled(operator, `${path}/contracts/${contract.id}`);
  const signed = await buyer.patch(signing, { status: 'active' });
  expect([signed.status, signed.body.data.status]).toEqual([200, 'active']);
  await untilTender(operator, path, 'the end', ({ status }) => status === 'complete');
  expect((await anyone.get(path)).body.data.status).toBe('complete');
  const late = await buyer.patch(signing, { title: 'Договір' });
  expect(late.body.errors[0].description).toBe("Can't update contract in current (complete) tender status");
  await story.matches();
}

const FORMATS = { pdf: 'application/pdf', yaml: 'text/yaml' } as const;

/** An upload is answered when the tender shows it; whoever owns what it hangs off may hear of it a moment later. */
async function untilFiled(operator: Broker, path: string): Promise<void> {
  await until('the file', async () => (await operator.get(path)).body.data.documents !== undefined);
}

async function uploaded(who: Broker, path: string, name: `${string}.${keyof typeof FORMATS}`): Promise<Json> {
  const format = name.endsWith('pdf') ? FORMATS.pdf : FORMATS.yaml;
  const answer = await who.request('POST', path, file(name, format, `Зміст: ${name}`));
  expect([answer.status, answer.body.data.title]).toEqual([201, name]);
  return answer.body.data;
}
