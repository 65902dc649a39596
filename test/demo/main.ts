import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { broker, until, type Broker, type Json } from '../support/broker.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { fileUpload } from '../support/file-upload.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck, moveClock } from '../support/sandbox.ts';
import { printingClient, type ExchangeStats } from './printing-client.ts';

const USAGE = `npm run procedure [-- <address>]

Plays a whole procedure against a system in sandbox mode (default http://127.0.0.1:8080, what npm start runs): a tender with a
file, a question, a claim, two bids, an auction, an award, a complaint about it, and a signed contract.`;

interface Clients {
  readonly buyer: Broker;
  readonly bidders: readonly [Broker, Broker];
  readonly auction: Broker;
  readonly anyone: Broker;
}

function clientsAt(address: string, stats: ExchangeStats): Clients {
  const printingClientOf = (name: string, key: string | undefined): Broker =>
    printingClient(name, broker(address, key, '2.5'), stats);
  return {
    buyer: printingClientOf('buyer', 'broker1'),
    bidders: [printingClientOf('first bidder', 'broker2'), printingClientOf('second bidder', 'broker3')],
    auction: printingClientOf('auction', 'auction'),
    anyone: printingClientOf('anyone', undefined),
  };
}

function printHeading(title: string): void {
  console.log(`\n${title}`);
}

async function upload(client: Broker, path: string, name: string): Promise<void> {
  await client.request('POST', path, fileUpload(name, 'application/pdf', `%PDF-1.4 ${name}`));
}

async function runEnquiries({ buyer, bidders: [seller] }: Clients): Promise<PublishedTender> {
  printHeading('A tender is published, with a file');
  const tender = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
  await upload(buyer, `${tender.path}/documents${tender.tokenQuery}`, 'terms.pdf');
  printHeading('A question and its answer, a claim and its resolution');
  const question = await seller.post(`${tender.path}/questions`, {
    author: AUTHOR,
    title: 'Тара',
    description: "Який об'єм?",
  });
  await buyer.patch(`${tender.path}/questions/${question.body.data.id}${tender.tokenQuery}`, {
    answer: 'Відра по 10 кг.',
  });
  const claim = await seller.post(`${tender.path}/complaints`, { author: AUTHOR, title: 'Пункт 3', status: 'claim' });
  const complaintPath = `${tender.path}/complaints/${claim.body.data.id}`;
  await buyer.patch(`${complaintPath}${tender.tokenQuery}`, {
    status: 'answered',
    resolutionType: 'resolved',
    resolution: LONG_RESOLUTION,
  });
  await seller.patch(`${complaintPath}?acc_token=${claim.body.access.token}`, { status: 'resolved', satisfied: true });
  return tender;
}

async function runTendering(
  { buyer, bidders, anyone }: Clients,
  { id, path }: PublishedTender,
): Promise<readonly Json[]> {
  printHeading('Tendering: two bids, sealed');
  await moveToNextCheck(buyer, id);
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

async function runAuction(
  { buyer, auction }: Clients,
  { id, path }: PublishedTender,
  bids: readonly Json[],
): Promise<void> {
  printHeading('The auction');
  await moveToNextCheck(buyer, id);
  await auction.get(`${path}/auction`);
  const auctionUrl = `https://auction.example.org/tenders/${id}`;
  const links = bids.map(({ data }) => ({ id: data.id, participationUrl: `${auctionUrl}/login?bidder_id=${data.id}` }));
  await auction.patch(`${path}/auction`, { auctionUrl, bids: links });
  await moveToNextCheck(buyer, id);
  await auction.post(`${path}/auction`, {
    bids: bids.map(({ data }, n) => ({ id: data.id, value: { amount: 390 + 10 * n } })),
  });
}

async function runAwarding(
  { buyer, bidders: [, loser], anyone }: Clients,
  tender: PublishedTender,
  bids: readonly Json[],
): Promise<void> {
  const { id, path, tokenQuery } = tender;
  printHeading('The award, and a complaint about it');
  const [award] = (await anyone.get(`${path}/awards`)).body.data;
  await upload(buyer, `${path}/awards/${award.id}/documents${tokenQuery}`, 'protocol.pdf');
  await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
  const complaints = `${path}/awards/${award.id}/complaints`;
  const token = `?acc_token=${bids[1].access.token}`;
  const claim = (await loser.post(`${complaints}${token}`, { author: AUTHOR, title: 'Оцінка', status: 'claim' })).body;
  const complaintPath = `${complaints}/${claim.data.id}`;
  await buyer.patch(`${complaintPath}${tokenQuery}`, {
    status: 'answered',
    resolutionType: 'declined',
    resolution: LONG_RESOLUTION,
  });
  await loser.patch(`${complaintPath}?acc_token=${claim.access.token}`, { status: 'resolved', satisfied: true });
  printHeading('The stand-still passes, and the contract is signed');
  await moveClock(buyer, id, { advance: 'PT2M10S' });
  const [contract] = (await anyone.get(`${path}/contracts`)).body.data;
  await upload(buyer, `${path}/contracts/${contract.id}/documents${tokenQuery}`, 'contract.pdf');
  await buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active', contractNumber: '1' });
}

async function runDemo(address: string): Promise<void> {
  const stats: ExchangeStats = { exchanges: 0, slowestMs: 0 };
  const beganMs = performance.now();
  const clients = clientsAt(address, stats);
  const tender = await runEnquiries(clients);
  const bids = await runTendering(clients, tender);
  await runAuction(clients, tender, bids);
  await runAwarding(clients, tender, bids);
  printHeading('The result');
  const { data } = (await clients.anyone.get(tender.path)).body;
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
  console.log(
    `\n${data.tenderID} is ${data.status}: ${stats.exchanges} exchanges in ${seconds} s, the slowest ${Math.round(stats.slowestMs)} ms.`,
  );
  console.log(`${address}/api/2.5${tender.path}`);
  if (data.status !== 'complete') throw new Error(`the tender is ${data.status}, not complete`);
}

const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2);
if (address.startsWith('-')) console.log(USAGE);
else {
  try {
    await runDemo(address.replace(/\/$/, ''));
  } catch (error) {
    console.error(`\nThe procedure stopped: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
