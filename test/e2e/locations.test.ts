import { AUTHOR } from '@procurement/testing/bodies';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { addressFollower } from '../support/followed-addresses.ts';
import { bidBody, generationClient } from '../support/generation-client.ts';
import { LEGACY_GENERATIONS } from '../support/generations.ts';
import { playToContract, signContract } from '../support/played-contract.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender, PARTY } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { untilAuctionsPlanned, untilTender } from './stories/wait-for-tender.ts';

const gatewayUrl = inject('gatewayUrl');
const adminsKey = inject('adminsKey');

const FILE = fileUpload('умови.pdf', 'application/pdf', '%PDF');
const CLAIM = { author: AUTHOR, title: 'Скарга', description: 'Умови' };

/** The group `admins` creates these on 2.5. */
const OF_ADMINS: ReadonlySet<string> = new Set(['/tenders/:id/awards', '/tenders/:id/contracts']);

/** The collections of which `Location` was followed, with `:id` for every id. */
class Followed {
  readonly collections = new Set<string>();

  readonly add = (method: string, path: string): void => {
    const collection = path.slice(0, path.lastIndexOf('/')).replaceAll(/[0-9a-f]{32}/g, ':id');
    if (method === 'POST') this.collections.add(collection);
  };

  client(key: string): Broker {
    return addressFollower(gatewayUrl, patientBroker(gatewayUrl, key, '2.5'), this.add);
  }
}

async function created(client: Broker, path: string, data: unknown, { token = '' } = {}): Promise<Json> {
  const query = token === '' ? '' : `?acc_token=${token}`;
  const answer = await (data === FILE ? client.request('POST', path + query, FILE) : client.post(path + query, data));
  expect([path, answer.status], answer.text).toEqual([path, 201]);
  return answer.body;
}

/** What hangs off a tender in its enquiries, on a tender of its own. */
async function createInEnquiries(buyer: Broker, seller: Broker): Promise<void> {
  const tender = await publish(buyer, minimalTender());
  const { path } = tender;
  await created(seller, `${path}/questions`, { author: AUTHOR, title: 'Питання', description: 'Яке?' });
  const complaint = await created(seller, `${path}/complaints`, CLAIM);
  await created(seller, `${path}/complaints/${complaint.data.id}/documents`, FILE, complaint.access);
  await created(buyer, `${path}/lots`, { title: 'Лот', value: { amount: 5 }, minimalStep: { amount: 1 } }, tender);
  const cancellation = await created(buyer, `${path}/cancellations`, { reason: 'Потреба відпала' }, tender);
  await created(buyer, `${path}/cancellations/${cancellation.data.id}/documents`, FILE, tender);
  await created(buyer, '/transfers', {});
}

async function createAsAdmins(admin: Broker, path: string, { id, bid_id, suppliers }: Json): Promise<void> {
  await created(admin, `${path}/awards`, { bid_id, suppliers });
  await created(admin, `${path}/contracts`, { awardID: id, title: 'Договір' });
}

/** A procedure to its contract, with a bid, a draft of a bid, and the document of each parent. */
async function createInProcedure(followed: Followed): Promise<void> {
  const [buyer, seller, other] = [followed.client('broker1'), followed.client('broker2'), followed.client('broker3')];
  const tender = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=144' }));
  const { id, path } = tender;
  await created(buyer, `${path}/documents`, FILE, tender);
  await moveToNextCheck(buyer, id);
  const bid = await created(seller, `${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } });
  await created(seller, `${path}/bids/${bid.data.id}/documents`, FILE, bid.access);
  await created(other, `${path}/bids`, { tenderers: [TENDERER], value: { amount: 479 }, status: 'draft' });
  await untilAuctionsPlanned(buyer, path);
  await moveToNextCheck(buyer, id);
  const qualified = await untilTender(buyer, path, 'the award', ({ awards }) => awards !== undefined);
  const [award] = qualified.awards;
  const awards = `${path}/awards`;
  if (adminsKey !== '') await createAsAdmins(followed.client(adminsKey), path, award);
  await created(buyer, `${awards}/${award.id}/documents`, FILE, tender);
  expect((await buyer.patch(`${awards}/${award.id}${tender.tokenQuery}`, { status: 'active' })).status).toBe(200);
  const complaint = await created(seller, `${awards}/${award.id}/complaints`, CLAIM, bid.access);
  await created(seller, `${awards}/${award.id}/complaints/${complaint.data.id}/documents`, FILE, complaint.access);
  const awarded = await untilTender(buyer, path, 'the contract', ({ contracts }) => contracts !== undefined);
  await created(buyer, `${path}/contracts/${awarded.contracts[0].id}/documents`, FILE, tender);
}

/** What hangs off a signed contract, on a tender of its own. */
async function createInContract(buyer: Broker, seller: Broker): Promise<void> {
  const played = await playToContract(buyer, seller);
  await signContract(buyer, played);
  const address = `/contracts/${played.contract.id}`;
  await created(buyer, `${address}/documents`, FILE, played);
  const change = { rationale: 'Подорожчав папір.', rationaleTypes: ['itemPriceVariation'] };
  await created(buyer, `${address}/changes`, change, played);
}

describe('Location of a POST (rulings R39)', () => {
  it('answers 200 to the creator, for everything that segment 2.5 creates', async () => {
    const followed = new Followed();
    const receiver = await webhookReceiver();
    await createInEnquiries(followed.client('broker1'), followed.client('broker2'));
    await createInProcedure(followed);
    await createInContract(followed.client('broker1'), followed.client('broker2'));
    const subscriber = followed.client('broker1');
    const webhook = await created(subscriber, '/webhooks', { url: receiver.url });
    expect((await subscriber.request('DELETE', `/webhooks/${webhook.data.id}`)).status).toBe(200);
    const { methods } = (await patientBroker(gatewayUrl, undefined, '2.5').get('/spore')).body;
    const creations = Object.values<Json>(methods).filter((one) => one.expected_status?.includes(201));
    const collections = creations.map((one) => one.path.replaceAll(/:\w+/g, ':id'));
    expect(followed.collections).toEqual(new Set(collections.filter((one) => adminsKey !== '' || !OF_ADMINS.has(one))));
  });

  it.each(LEGACY_GENERATIONS)('answers 200 to the creator, generation $name', async (generation) => {
    const { names } = generation;
    const followed = new Followed();
    const makeClient = (key: string): Broker =>
      addressFollower(gatewayUrl, generationClient(gatewayUrl, generation, key), followed.add);
    const [buyer, seller] = [makeClient('broker1'), makeClient('broker2')];
    const tender = await publish(buyer, generation.tender);
    const { path } = tender;
    const bids = `${path}/${names.bids}`;
    await created(buyer, `${path}/documents`, FILE, tender);
    const bid = await created(seller, bids, bidBody(generation, 400));
    await created(seller, `${bids}/${bid.data.id}/documents`, FILE, bid.access);
    const award = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 400 } };
    await created(buyer, `${path}/awards`, award, tender);
    expect(followed.collections).toEqual(
      new Set([
        '/tenders',
        ...['documents', 'awards', names.bids, `${names.bids}/:id/documents`].map((one) => `/tenders/:id/${one}`),
      ]),
    );
  });
});
