import { randomUUID } from 'node:crypto';
import { transact } from '@procurement/kit/database/transaction';
import { describe, expect, it } from 'vitest';
import { applyBidsOpened, bidsOpened } from '../../test-support/awarding-fixtures.ts';
import { bid, money } from '../../test-support/run-command.ts';
import { AFTER_STAND_STILL, anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { PAYMENT, RATIONALE } from '../../test-support/signed-contract.ts';
import { publishContracts } from '../store/contract-feed.publish.ts';
import { lockContracts } from '../store/load-awardings.ts';
import { tenderReader } from '../store/tender-reader.ts';

const running = setupAwards();
const LOTS = 1_000;
const lots = Array.from({ length: LOTS }, (_, n) => ({ id: (n + 1).toString(16).padStart(32, '0'), status: 'active' }));

/** A tender of 1,000 lots, each with an award: the last one is pending, the others are active, each with a contract. */
async function createContracts() {
  const { app, database, addTender } = running();
  const tender = await addTender({ lots, items: lots.map(({ id }) => ({ id, relatedLot: id })) });
  const lotValues = lots.map(({ id: relatedLot }) => ({
    relatedLot,
    value: money(400),
    date: '2017-02-16T11:30:00+02:00',
  }));
  await applyBidsOpened(running(), bidsOpened(tender.id, [bid('b1', 400, { value: undefined, lotValues })]));
  const path = `/tenders/${tender.id}`;
  const awards: readonly { readonly id: string; readonly lotID: string }[] = (
    await send(app, 'GET', `${path}/awards`, anonymousHeaders)
  ).json().data;
  const first = `${path}/awards/${awards[0]?.id ?? ''}`;
  expect((await send(app, 'PATCH', first, ownerHeaders, { status: 'active' })).statusCode).toBe(200);
  const { rows } = await database.pool.query('SELECT document FROM awarding WHERE tender_id = $1', [tender.id]);
  const document = JSON.parse(rows[0].document);
  const [decided] = document.awards;
  const [contract] = document.contracts;
  for (const award of document.awards.slice(1, -1)) {
    Object.assign(award, { status: 'active', date: decided.date, complaintPeriod: decided.complaintPeriod });
    const id = randomUUID().replaceAll('-', '');
    document.contracts.push({
      ...contract,
      id,
      awardID: award.id,
      contractID: `${contract.contractID}-${award.lotID}`,
    });
  }
  await transact(database.pool, async (tx) => {
    const values = [tender.id, JSON.stringify(document)];
    await tx.query('UPDATE awarding SET document = $2 WHERE tender_id = $1', values);
    const places =
      'INSERT INTO contract_place (contract_id, tender_id) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING';
    await tx.query(places, [document.contracts.map(({ id }: { readonly id: string }) => id), tender.id]);
    const { awardings } = await lockContracts(tx, [tender.id], tenderReader(running().bus));
    await publishContracts(
      tx,
      awardings.map((awarding) => ({ awarding, contracts: awarding.contracts })),
    );
  });
  return { path, last: `${path}/awards/${awards.at(-1)?.id ?? ''}` };
}

describe('a tender with 1,000 lots and as many contracts (contracting.md 13, K7)', () => {
  it('has its last award decided; its contracts are signed, changed, paid and ended, and all are in the feed', async () => {
    const { path, last } = await createContracts();
    const { app, clock } = running();
    const decided = await send(app, 'PATCH', last, ownerHeaders, { status: 'active' });
    expect([decided.statusCode, decided.json().data.status]).toEqual([200, 'active']);
    clock.set(AFTER_STAND_STILL);
    const contracts = (await send(app, 'GET', `${path}/contracts`, anonymousHeaders)).json().data;
    expect(contracts).toHaveLength(LOTS);
    const own = `/contracts/${contracts.at(-1).id}`;
    for (const [method, at, data] of [
      ['PATCH', '', { status: 'active' }],
      ['POST', '/changes', RATIONALE],
      ['PUT', '/transactions/1', PAYMENT],
      ['PATCH', '', { status: 'terminated', amountPaid: { amount: 200 } }],
    ] as const) {
      const answer = await send(app, method, own + at, ownerHeaders, data);
      expect([method, at, answer.statusCode]).toEqual([method, at, method === 'POST' ? 201 : 200]);
      expect(Number(answer.headers['x-work-bytes'])).toBeGreaterThan(300 * LOTS);
    }
    const feed = '/contracts?mode=_all_&limit=1000&opt_fields=status';
    const rows: readonly { readonly status: string }[] = (await send(app, 'GET', feed, anonymousHeaders)).json().data;
    expect(rows).toHaveLength(LOTS);
    expect(rows.at(-1)).toMatchObject({ id: contracts.at(-1).id, status: 'terminated' });
  });
});
