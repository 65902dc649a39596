import { AUTHOR } from '@procurement/testing/bodies';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { playToContract, signContract } from '../support/played-contract.ts';
import { publish } from '../support/published-tender.ts';
import { interfaceBid, minimalTender, PARTY } from '../support/request-bodies.ts';

/** A tender with an object of each kind, which requests are about. */
export interface World {
  /** Ids of the objects, by the name of their parameter in paths. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly tokens: readonly string[];
  /** What clients see: a refusal must not change it. */
  state(): Promise<string>;
}

/** What all worlds of a run share. Not in their state: what one world does to it may be seen in the next. */
export interface SharedIds {
  readonly ids: World['ids'];
  readonly tokens: World['tokens'];
}

const SIDE = { name: 'ТОВ Папір', bankAccount: { scheme: 'IBAN', id: 'UA213223130000026007233566001' } };

/** A signed contract with a pending change and a payment. Returns its id, that of the change, and a token that opens it. */
async function makeContract(buyer: Broker, seller: Broker): Promise<readonly [string, string, string]> {
  const played = await playToContract(buyer, seller);
  await signContract(buyer, played);
  const { contract, tokenQuery, token } = played;
  const own = `/contracts/${contract.id}`;
  const change = await buyer.post(`${own}/changes${tokenQuery}`, { rationale: 'x', rationaleTypes: ['taxRate'] });
  const payment = { date: contract.date, value: { amount: 1 }, payer: SIDE, payee: SIDE, status: '0' };
  await buyer.request('PUT', `${own}/transactions/1${tokenQuery}`, { data: payment });
  return [contract.id, change.body.data.id, token];
}

export async function makeShared(gatewayUrl: string): Promise<SharedIds> {
  const owner = patientBroker(gatewayUrl, 'broker1', '2.5');
  const transfer = await owner.post('/transfers', {});
  // Nothing listens there: deliveries fail, and the webhook stays.
  const webhook = await owner.post('/webhooks', { url: 'http://127.0.0.1:65000/hook', filter: { mode: '_all_' } });
  const [contract, change, token] = await makeContract(owner, patientBroker(gatewayUrl, 'broker2', '2.5'));
  return {
    tokens: [token],
    ids: {
      contract_id: [contract],
      change_id: [change],
      transaction_id: ['1'],
      transfer_id: [transfer.body.data.id],
      webhook_id: [webhook.body.data?.id ?? 'none'],
      rev: ['1', '2'],
      position: ['1779360000.396982'],
    },
  };
}

const FILE = fileUpload('тендер.pdf', 'application/pdf', '%PDF');
const AWARD = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 400 } };
const LOT = { title: 'Лот', value: { amount: 100 }, minimalStep: { amount: 1 } };
const CONTENT = { author: AUTHOR, title: 'Питання', description: 'Яке?' };

/** Segment 2.3 of a sandbox takes an object of each kind at once (rulings R3). */
export async function makeWorld(gatewayUrl: string, shared: SharedIds): Promise<World> {
  const owner = patientBroker(gatewayUrl, 'broker1');
  const current = patientBroker(gatewayUrl, 'broker1', '2.5');
  const { path, id, token, tokenQuery, data } = await publish(current, minimalTender());
  const made = async (collection: string, body: unknown): Promise<Json> =>
    (await owner.post(path + collection, body)).body;
  const bid = await made('/bids', interfaceBid(400));
  const bidDocuments = `${path}/bids/${bid.data.id}/documents?acc_token=${bid.access.token}`;
  const bidDocument = await owner.request('POST', bidDocuments, FILE);
  const document = await owner.request('POST', `${path}/documents${tokenQuery}`, FILE);
  const [question, complaint] = [await made('/questions', CONTENT), await made('/complaints', CONTENT)];
  const cancellation = await made(`/cancellations${tokenQuery}`, { reason: 'Помилка' });
  const award = await made(`/awards${tokenQuery}`, AWARD);
  const lot = await current.post(`${path}/lots${tokenQuery}`, LOT);
  const tender = await until('the tender with all its objects', async () => {
    const shown = (await current.get(path)).body.data;
    return shown.documents?.length === 1 && shown.awards?.length === 1 && shown.cancellations?.length === 1 && shown;
  });
  const readIds = ({ data: object }: Json): readonly string[] => [object.awardID ?? object.id];
  return {
    ids: {
      ...shared.ids,
      tender_id: [id],
      bid_id: readIds(bid),
      award_id: readIds(award),
      question_id: readIds(question),
      complaint_id: readIds(complaint),
      cancellation_id: readIds(cancellation),
      lot_id: readIds(lot.body),
      contract_id: [
        ...(tender.contracts ?? []).map((contract: Json) => contract.id),
        ...(shared.ids['contract_id'] ?? []),
      ],
      document_id: [document.body.data.id, bidDocument.body.data.id],
      item_id: [data.items[0].id],
    },
    tokens: [token, bid.access.token, complaint.access.token, ...shared.tokens],
    async state() {
      const newest = '/tenders?descending=1&limit=100&mode=_all_&opt_fields=tenderID';
      const reads = [current.get(newest), current.get(path), owner.get(`${path}/bids`)];
      const [feed, ...shown] = await Promise.all(reads);
      // Of tenders that were there before, some deadline may have come. Numbers are given in the order of creation.
      const created = feed?.body.data.filter(({ tenderID }: Json) => tenderID > data.tenderID);
      return JSON.stringify([created, ...shown.map(({ text }) => text)]);
    },
  };
}
