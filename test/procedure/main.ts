import { broker, until, type Broker, type Json } from '../support/broker.ts';
import { AUTHOR, publish, TENDERER, type Published } from '../support/tender-file.ts';
import { plainTender } from '../support/tender.ts';
import { toNextCheck, moveClock } from '../support/sandbox.ts';
import { printing, type Tally } from './printing.ts';

const USAGE = `npm run procedure [-- <address>]

Plays a whole procedure against a system in sandbox mode (default http://127.0.0.1:8080, what npm start runs): a tender with a
file, a question, a claim, two bids, an auction, an award, a complaint about it, and a signed contract.`;

const LONG = 'Вимога відповідає чинному стандарту ДСТУ';

interface Cast {
  readonly buyer: Broker;
  readonly bidders: readonly [Broker, Broker];
  readonly auction: Broker;
  readonly anyone: Broker;
}

function castAt(address: string, tally: Tally): Cast {
  const who = (name: string, key: string | undefined): Broker => printing(name, broker(address, key, '2.5'), tally);
  return {
    buyer: who('buyer', 'broker1'),
    bidders: [who('first bidder', 'broker2'), who('second bidder', 'broker3')],
    auction: who('auction', 'auction'),
    anyone: who('anyone', undefined),
  };
}

function chapter(title: string): void {
  console.log(`\n${title}`);
}

/** A file as a broker's form sends it. */
async function upload(client: Broker, path: string, name: string): Promise<Json> {
  const boundary = 'procedure';
  const raw = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4 ${name}\r\n--${boundary}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return (await client.request('POST', path, { raw, headers })).body.data;
}

async function enquiries({ buyer, bidders: [seller] }: Cast): Promise<Published> {
  chapter('A tender is published, with a file');
  const tender = await publish(buyer, plainTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
  await upload(buyer, `${tender.path}/documents${tender.owned}`, 'terms.pdf');
  chapter('A question and its answer, a claim and its resolution');
  const asked = await seller.post(`${tender.path}/questions`, {
    author: AUTHOR,
    title: 'Тара',
    description: "Який об'єм?",
  });
  await buyer.patch(`${tender.path}/questions/${asked.body.data.id}${tender.owned}`, { answer: 'Відра по 10 кг.' });
  const claim = await seller.post(`${tender.path}/complaints`, { author: AUTHOR, title: 'Пункт 3', status: 'claim' });
  const filed = `${tender.path}/complaints/${claim.body.data.id}`;
  await buyer.patch(`${filed}${tender.owned}`, { status: 'answered', resolutionType: 'resolved', resolution: LONG });
  await seller.patch(`${filed}?acc_token=${claim.body.access.token}`, { status: 'resolved', satisfied: true });
  return tender;
}

async function tendering({ buyer, bidders, anyone }: Cast, { id, path }: Published): Promise<readonly Json[]> {
  chapter('Tendering: two bids, sealed');
  await toNextCheck(buyer, id);
  const bids: Json[] = [];
  for (const [n, bidder] of bidders.entries()) {
    const bid = (await bidder.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 + 10 * n } })).body;
    await upload(bidder, `${path}/bids/${bid.data.id}/documents?acc_token=${bid.access.token}`, `offer-${n + 1}.pdf`);
    bids.push(bid);
  }
  await until('a place in the plan of auctions', async () => {
    const { auctionPeriod } = (await anyone.get(path)).body.data;
    return auctionPeriod?.startDate;
  });
  return bids;
}

async function auctioning({ buyer, auction }: Cast, { id, path }: Published, bids: readonly Json[]): Promise<void> {
  chapter('The auction');
  await toNextCheck(buyer, id);
  await auction.get(`${path}/auction`);
  const auctionUrl = `https://auction.example.org/tenders/${id}`;
  const links = bids.map(({ data }) => ({ id: data.id, participationUrl: `${auctionUrl}/login?bidder_id=${data.id}` }));
  await auction.patch(`${path}/auction`, { auctionUrl, bids: links });
  await toNextCheck(buyer, id);
  await auction.post(`${path}/auction`, {
    bids: bids.map(({ data }, n) => ({ id: data.id, value: { amount: 390 + 10 * n } })),
  });
}

async function awarding(
  { buyer, bidders: [, loser], anyone }: Cast,
  tender: Published,
  bids: readonly Json[],
): Promise<void> {
  const { id, path, owned } = tender;
  chapter('The award, and a complaint about it');
  const [award] = (await anyone.get(`${path}/awards`)).body.data;
  await upload(buyer, `${path}/awards/${award.id}/documents${owned}`, 'protocol.pdf');
  await buyer.patch(`${path}/awards/${award.id}${owned}`, { status: 'active' });
  const complaints = `${path}/awards/${award.id}/complaints`;
  const token = `?acc_token=${bids[1].access.token}`;
  const claim = (await loser.post(`${complaints}${token}`, { author: AUTHOR, title: 'Оцінка', status: 'claim' })).body;
  const filed = `${complaints}/${claim.data.id}`;
  await buyer.patch(`${filed}${owned}`, { status: 'answered', resolutionType: 'declined', resolution: LONG });
  await loser.patch(`${filed}?acc_token=${claim.access.token}`, { status: 'resolved', satisfied: true });
  chapter('The stand-still passes, and the contract is signed');
  await moveClock(buyer, id, { advance: 'PT2M10S' });
  const [contract] = (await anyone.get(`${path}/contracts`)).body.data;
  await upload(buyer, `${path}/contracts/${contract.id}/documents${owned}`, 'contract.pdf');
  await buyer.patch(`${path}/contracts/${contract.id}${owned}`, { status: 'active', contractNumber: '1' });
}

async function play(address: string): Promise<void> {
  const tally: Tally = { exchanges: 0, slowestMs: 0 };
  const beganMs = performance.now();
  const cast = castAt(address, tally);
  const tender = await enquiries(cast);
  const bids = await tendering(cast, tender);
  await auctioning(cast, tender, bids);
  await awarding(cast, tender, bids);
  chapter('How it ended');
  const { data } = (await cast.anyone.get(tender.path)).body;
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
  console.log(
    `\n${data.tenderID} is ${data.status}: ${tally.exchanges} exchanges in ${seconds} s, the slowest ${Math.round(tally.slowestMs)} ms.`,
  );
  console.log(`${address}/api/2.5${tender.path}`);
  if (data.status !== 'complete') throw new Error(`the tender is ${data.status}, not complete`);
}

const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2);
if (address.startsWith('-')) console.log(USAGE);
else {
  try {
    await play(address.replace(/\/$/, ''));
  } catch (error) {
    console.error(`\nThe procedure stopped: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
