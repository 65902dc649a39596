import { padId } from '@procurement/testing/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexAll } from '../../test-support/index-all.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { publicText, storeRevisions } from '../../test-support/stored-revisions.ts';

let running: RunningService;

function tender(n: number, contracts: readonly object[], members: object = {}) {
  const digits = String(n).padStart(6, '0');
  return {
    id: padId(n.toString(16)),
    tenderID: `UA-2026-03-31-${digits}`,
    dateModified: `2026-03-31T12:00:00.${digits}+03:00`,
    status: 'complete',
    procurementMethodType: 'belowThreshold',
    title: `тендер ${n}`,
    value: { amount: 400, currency: 'UAH' },
    contracts,
    ...members,
  };
}

const CHANGES = [
  {
    id: padId('91'),
    status: 'active',
    contractNumber: '12/4-П/1',
    rationale: 'Зросла ринкова ціна паперу.',
    rationale_en: 'The market price of paper rose.',
    rationaleTypes: ['itemPriceVariation', 'taxRate'],
  },
  { id: padId('92'), status: 'pending', rationale: 'Чернетка', rationaleTypes: ['durationExtension'] },
];
const value = (amount: number) => ({ amount, currency: 'UAH' });
const PAID = {
  id: padId('c1'),
  contractID: 'UA-2026-03-31-000001-a1',
  contractNumber: '12/4-П',
  status: 'active',
  value: value(380),
  implementation: { status: 'terminated', value: value(395.2), amountPaid: value(390.1), changes: CHANGES },
};
const OTHER = { id: padId('c2'), contractID: 'UA-2026-03-31-000001-a2', status: 'cancelled', value: value(400) };
const SIGNED = { id: padId('c3'), contractID: 'UA-2026-03-31-000002-a1', status: 'active', value: value(7) };
const [first, second] = [tender(1, [PAID, OTHER]), tender(2, [SIGNED])];
/** Its number begins with that of a contract, and names none. */
const longer = tender(3, [{ id: padId('c4'), contractID: 'UA-2026-03-31-000001-a11', status: 'pending' }]);
const removed = tender(4, [{ id: padId('c5'), contractID: 'UA-2026-03-31-000004-a1', status: 'active' }]);

beforeAll(async () => {
  running = await runningService();
  await storeRevisions(running.database.pool, [
    ...[first, second, longer].map((one) => ({ rev: 1, tender: one })),
    { rev: 1, tender: removed, listed: false },
  ]);
  await indexAll(running.deps);
});
afterAll(async () => {
  await running.close();
});

describe('GET /lookup of contracts', () => {
  const entry = ({ id, tenderID, dateModified }: typeof first, contract?: string) => ({
    id,
    tenderID,
    dateModified,
    status: 'complete',
    ...(contract === undefined ? {} : { contract }),
  });

  it('gives their tenders in the order asked, each contract once, beside tenders by their own ids', async () => {
    const removedId = removed.contracts.map((one) => (one as typeof PAID).id).join('');
    const asked = [
      SIGNED.contractID,
      PAID.id,
      first.id,
      PAID.contractID.toLowerCase(),
      OTHER.id,
      removedId,
      padId('cf'),
    ];
    const answer = await running.get(`/lookup?ids=${asked.join()}`);
    expect(answer.json()).toEqual({
      data: [entry(second, SIGNED.id), entry(first, PAID.id), entry(first), entry(first, OTHER.id)],
      missing: [removedId, padId('cf')],
    });
  });

  it('takes a number for that of one contract only', async () => {
    const { data } = (await running.get('/lookup?ids=UA-2026-03-31-000001-a11')).json();
    expect(data).toEqual([entry(longer, padId('c4'))]);
    const { missing } = (await running.get('/lookup?ids=UA-2026-03-31-000001-a')).json();
    expect(missing).toEqual(['ua-2026-03-31-000001-a']);
  });

  it('pastes the whole tender with expand', async () => {
    const { body } = await running.get(`/lookup?expand=1&ids=${SIGNED.contractID}`);
    const text = publicText(second).slice('{"data":{'.length, -1);
    expect(body).toBe(`{"data":[{"contract":"${SIGNED.id}",${text}],"missing":[]}`);
  });
});

describe('GET /search of contracts', () => {
  it.each([
    ['q=UA-2026-03-31-000001-a1', [1]],
    ['q="12/4-П/1"', [1]],
    ['q=ринковий', [1]],
    ['q=market', [1]],
    ['q=чернетка', []],
    [`contract=${PAID.id}`, [1]],
    ['contract=UA-2026-03-31-000001-A1', [1]],
    [`contract=${SIGNED.contractID},${OTHER.id}`, [2, 1]],
    ['contract=UA-2026-03-31-000001-a', []],
    [`contract=${PAID.id}&contractStatus=terminated&q=паперу`, [1]],
    ['contractStatus=terminated', [1]],
    ['contractStatus=active', [2]],
    ['contractStatus=active,cancelled', [2, 1]],
    ['contractStatus=pending', [3]],
    ['rationale=itemPriceVariation', [1]],
    ['rationale=taxRate,volumeCuts', [1]],
    ['rationale=durationExtension', []],
  ])('finds by %s', async (query, expected) => {
    const answer = await running.get(`/search?sort=-created&${query}`);
    expect([answer.statusCode, answer.json().data.map(({ title }: { title: string }) => title)]).toEqual([
      200,
      expected.map((n) => `тендер ${n}`),
    ]);
  });

  it('says what was paid for contracts that ended', async () => {
    const { data } = (await running.get(`/search?contract=${PAID.id}`)).json();
    expect(data[0]).toMatchObject({ contracted: 380, paid: 390.1 });
    expect((await running.get(`/search?contract=${SIGNED.id}`)).json().data[0]).not.toHaveProperty('paid');
  });

  it.each([
    ['contract=1', 'contract'],
    ['contractStatus=signed', 'contractStatus'],
    ['rationale=volume', 'rationale'],
  ])('refuses %s with 400', async (query, name) => {
    const answer = await running.get(`/search?${query}`);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([400, name]);
  });
});
