import { TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientBroker, until, type ApiResponse, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { PATIENCE } from '../support/patience.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { isoInSeconds, minimalTender } from '../support/request-bodies.ts';
import { moveToEndOfEnquiries, moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

let stack: Stack;
let buyer: Broker;
let seller: Broker;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
  const makeClient = (key: string): Broker => patientBroker(stack.gatewayUrl, key, '2.5');
  buyer = makeClient('broker1');
  seller = makeClient('broker2');
});

afterAll(async () => {
  await verifyAndStop(stack);
});

/** 3.8 MB: a body just below the limit of 4 MiB. */
const HUGE = 'ї'.repeat(1_900_000);
const TOO_LONG = ['String value is too long.'];

/** The numbers of answers by their status. */
function countStatuses(responses: readonly ApiResponse[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const AT_ONCE = 8;

async function sendMany(count: number, send: (n: number) => Promise<ApiResponse>): Promise<readonly ApiResponse[]> {
  const responses: ApiResponse[] = [];
  let next = 0;
  const runSender = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      responses.push(await send(next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runSender));
  return responses;
}

async function addDocument({ path, tokenQuery }: PublishedTender, name: string): Promise<ApiResponse> {
  return buyer.request('POST', `${path}/documents${tokenQuery}`, fileUpload(name, 'text/plain', 'x'));
}

/** Another tender goes on: its document is shown, and its clock moves on time. */
async function expectOthersUndisturbed(): Promise<void> {
  const other = await publish(buyer, minimalTender({ enquiryPeriod: { endDate: isoInSeconds(3_600) } }));
  await moveToEndOfEnquiries(buyer, other);
  expect((await addDocument(other, 'other.txt')).status).toBe(201);
  const shown = await until('the document of another tender', async () => {
    const { documents = [] }: Json = (await buyer.get(other.path)).body.data;
    return documents.length === 1;
  });
  expect(shown).toBe(true);
  await until(
    'the clock of another tender',
    async () => (await buyer.get(other.path)).body.data.status === 'active.tendering',
  );
}

describe('a broker that writes as much as it can (limits.md)', () => {
  it('cannot hold up documents by three descriptions of 3.8 MB and 130 small documents', async () => {
    const tender = await publish(buyer, minimalTender());
    for (const name of ['a', 'b', 'c']) {
      const { id } = (await addDocument(tender, name)).body.data;
      const path = `${tender.path}/documents/${id}${tender.tokenQuery}`;
      const { status, body } = await buyer.patch(path, { description: HUGE });
      expect([status, body.errors]).toMatchObject([
        422,
        [{ location: 'body', name: 'description', description: TOO_LONG }],
      ]);
    }
    const added = await sendMany(130, async (n) => addDocument(tender, `${n}.txt`));
    expect(countStatuses(added)).toEqual({ 201: 130 });
    await until('133 documents', async () => (await buyer.get(tender.path)).body.data.documents.length === 133);
    await expectOthersUndisturbed();
  });

  it('cannot make a tender large by questions of 3.8 MB, or by hundreds of small ones', async () => {
    const tender = await publish(buyer, minimalTender());
    const ask = async (client: Broker, description: string): Promise<ApiResponse> =>
      client.post(`${tender.path}/questions`, { author: TENDERER, title: 'x', description });
    const huge: ApiResponse[] = [];
    for (let n = 0; n < 4; n += 1) huge.push(await ask(seller, HUGE));
    expect(countStatuses(huge)).toEqual({ 422: 4 });
    const small = await sendMany(TENDER_OBJECTS_MAX.questions.ofBroker + 20, async () => ask(seller, 'x'));
    expect(countStatuses(small)).toEqual({ 201: TENDER_OBJECTS_MAX.questions.ofBroker, 422: 20 });
    const ofOther = await ask(patientBroker(stack.gatewayUrl, 'broker3', '2.5'), 'x');
    expect(ofOther.status).toBe(201);
    const answered = await buyer.patch(`${tender.path}/questions/${ofOther.body.data.id}${tender.tokenQuery}`, {
      answer: 'так',
    });
    expect(answered.status).toBe(200);
    await expectOthersUndisturbed();
  });

  it('cannot make a set of bids too large to open', async () => {
    const tender = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, tender.id);
    const bid = (tenderer: object): Json => ({ tenderers: [{ ...TENDERER, ...tenderer }], value: { amount: 400 } });
    const huge = await sendMany(3, async () => seller.post(`${tender.path}/bids`, bid({ name: HUGE })));
    expect(countStatuses(huge)).toEqual({ 422: 3 });
    const identifier = { scheme: 'UA-EDR', id: '1', legalName: '😀'.repeat(2_000) };
    const large = bid({ additionalIdentifiers: Array.from({ length: 30 }, () => identifier) });
    const accepted = await sendMany(8, async () => seller.post(`${tender.path}/bids`, large));
    expect(countStatuses(accepted)).toEqual({ 201: 4, 422: 4 });
    await moveToNextCheck(buyer, tender.id);
    await until('the sealed bids', async () => (await buyer.get(tender.path)).body.data.status === 'active.auction');
    await expectOthersUndisturbed();
  });
});
