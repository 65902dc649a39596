import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { sha256 } from '@procurement/proof/hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { untilAuctionsPlanned, untilTender } from '../e2e/stories/wait-for-tender.ts';
import { patientBroker, type Broker, type Json } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { trustingReader, type Findings, type LogReader } from '../support/log-reader.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveClock, moveToNextCheck } from '../support/sandbox.ts';
import { storyContextAt } from '../support/story-context.ts';
import { expectVerified } from '../support/verified.ts';

let stack: Stack;
let reader: LogReader;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { LEDGER_INTERVAL_MS: '1000' } });
  reader = await trustingReader(stack);
});

afterAll(async () => {
  await stack.stop();
  reader.end();
});

/** What the verifier finds in the opening of a tender. */
const findings = async ({ id }: { readonly id: string }): Promise<Findings> => reader.findings('opening', id);

/** What it finds for the owner of a bid, by the receipt. */
async function findingsFor({ id, receipt }: PostedBid): Promise<Findings> {
  const file = join(reader.home, `receipt-${id}`);
  writeFileSync(file, receipt);
  return reader.findings('receipt', file);
}

const client = (key?: string, segment?: '2.5' | '2.3'): Broker =>
  patientBroker(stack.gatewayUrl, key, segment ?? '2.5');
const bids = async (text: string, ...values: readonly unknown[]) => queryService<Json>(stack, 'bids', text, values);

interface PostedBid {
  readonly id: string;
  readonly data: Json;
  /** Path with the token of the owner. */
  readonly own: string;
  readonly receipt: string;
}

async function postBid({ path }: PublishedTender, amount: number): Promise<PostedBid> {
  const answer = await client('broker2').post(`${path}/bids`, { tenderers: [TENDERER], value: { amount } });
  expect(answer.status).toBe(201);
  const { data, access } = answer.body;
  const receipt = answer.headers.get('procurement-receipt') ?? '';
  return { id: data.id, data, own: `${path}/bids/${data.id}?acc_token=${access.token}`, receipt };
}

interface Bidding {
  readonly tender: PublishedTender;
  readonly bid: PostedBid;
  /** Its bid stays as it is, whatever happens to `bid`. */
  readonly other: PostedBid;
}

/** A tender that is closed with two bids, after one was withdrawn, and waits for its auction. */
async function closedTender(forge?: (bid: PostedBid) => Promise<unknown>): Promise<Bidding> {
  const buyer = client('broker1');
  const quick = {
    procurementMethodDetails: 'quick, accelerator=1440',
    submissionMethodDetails: 'quick(mode:no-auction)',
  };
  const tender = await publish(buyer, minimalTender(quick));
  await moveToNextCheck(buyer, tender.id);
  const [withdrawn, bid, other] = [await postBid(tender, 380), await postBid(tender, 400), await postBid(tender, 410)];
  expect((await client('broker2').request('DELETE', withdrawn.own)).status).toBe(200);
  await untilAuctionsPlanned(client(), tender.path);
  await forge?.(bid);
  const { bidsSeal } = await moveToNextCheck(buyer, tender.id);
  expect(bidsSeal.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  return { tender, bid, other };
}

async function open({ id, path }: PublishedTender): Promise<Json> {
  await moveClock(client('broker1'), id, { advance: 'PT12S' });
  return untilTender(client(), path, 'the opening', ({ status }) => status === 'active.qualification');
}

/** Stores another text of a sealed bid, as the owner of the database may. */
async function putText(id: string, document: Json): Promise<void> {
  await bids('UPDATE bid SET document = $2, sealed = NULL WHERE id = $1', id, JSON.stringify(document));
}

describe('verify-procurement opening', () => {
  it('proves the opening of a tender with two bids, of which a third was withdrawn', async () => {
    const { tender, bid } = await closedTender();
    const sealPath = `${tender.path}/bids_seal`;
    const early = await client().get(sealPath);
    expect([early.status, early.body.errors[0].name]).toEqual([404, 'bids_seal']);
    const shown = await open(tender);
    expect(shown.bids).toHaveLength(2);
    const proven = await reader.run('opening', tender.id);
    expect([proven.exit, proven.printed]).toEqual([0, expect.stringContaining('2 bids were fixed at the closing')]);

    const answer = await client().get(sealPath);
    expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${sha256(answer.text).toString('base64')}:`);
    expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([
      null,
      'public, max-age=86400',
    ]);
    const { seal, bids: closed } = answer.body.data;
    expect(`sha256:${sha256(seal).toString('hex')}`).toBe(shown.bidsSeal.hash);
    expect(JSON.parse(closed[0].text)).toEqual(bid.data);
    const older = client(undefined, '2.3');
    expect((await older.get(sealPath)).status).toBe(404);
    expect((await older.get(tender.path)).body.data).not.toHaveProperty('bidsSeal');
  });

  it('proves a tender without bids, and one whose only bid is opened at once', async () => {
    const buyer = client('broker1');
    const [none, one] = [await publish(buyer, minimalTender()), await publish(buyer, minimalTender())];
    for (const { id } of [none, one]) await moveToNextCheck(buyer, id);
    await postBid(one, 400);
    for (const { id } of [none, one]) await moveToNextCheck(buyer, id);
    await untilTender(client(), none.path, 'the end', ({ status }) => status === 'unsuccessful');
    await untilTender(client(), one.path, 'the opening', ({ status }) => status === 'active.qualification');
    expect([await findings(none), await findings(one)]).toEqual([[0], [0]]);
    await expectVerified(stack);
  });

  it('proves a story that was played while the log was away, with the answers of always (T11)', async () => {
    await stack.parts.ledger.kill('SIGKILL');
    await playTwoBids(storyContextAt(stack.gatewayUrl));
    const [told] = (await client().get('/tenders?mode=_all_&descending=1&limit=1&opt_fields=status')).body.data;
    expect(told.status).toBe('complete');
    await stack.parts.ledger.start();
    expect(await findings(told)).toEqual([0]);
    await expectVerified(stack);
  });

  // The last test of an untouched system is the one before: from here on the databases contradict each other.
  it.each<[code: string, what: string, forge: (bid: PostedBid, tender: PublishedTender) => Promise<unknown>]>([
    [
      'bid-added',
      'a bid was added after the closing',
      async (bid, { id }) => {
        const added = 'f'.repeat(32);
        await bids(
          `INSERT INTO bid (id, tender_id, version, status, document, lots, owner, owner_token_hash, transfer_hash)
           SELECT $2, tender_id, 1, status, $3, lots, owner, owner_token_hash, transfer_hash FROM bid WHERE id = $1`,
          bid.id,
          added,
          JSON.stringify({ ...bid.data, id: added, value: { ...bid.data.value, amount: 390 } }),
        );
        expect(await bids(`SELECT FROM bid WHERE tender_id = $1 AND status = 'active'`, id)).toHaveLength(3);
      },
    ],
    [
      'bid-missing',
      'a bid was dropped before the opening',
      async (bid) => bids('DELETE FROM bid WHERE id = $1', bid.id),
    ],
    [
      'bid-changed',
      'an amount was changed at the opening',
      async (bid) => putText(bid.id, { ...bid.data, value: { ...bid.data.value, amount: 405 } }),
    ],
  ])('finds %s where %s (T6)', async (code, _what, forge) => {
    const { tender, bid } = await closedTender();
    await forge(bid, tender);
    await open(tender);
    expect(await findings(tender)).toEqual([2, code]);
  });

  it('finds receipt for the owner of a bid that was dropped before the closing (T6)', async () => {
    const { tender, bid, other } = await closedTender(async ({ id }) => bids('DELETE FROM bid WHERE id = $1', id));
    await open(tender);
    // The seal has one bid, and it was opened: only the receipt tells.
    expect(await findings(tender)).toEqual([0]);
    expect(await findingsFor(bid)).toEqual([2, 'receipt']);
    expect(await findingsFor(other)).toEqual([0]);
  });

  it('finds what was put into the seal after the closing', async () => {
    const { tender } = await closedTender();
    await bids(`UPDATE seal SET text = replace(text, 'withdrawn', 'withdrawN') WHERE tender_id = $1`, tender.id);
    await open(tender);
    expect((await findings(tender)).slice(0, 2)).toEqual([2, 'seal']);
  });
});
