import type { Stack } from '@procurement/local-stack/stack';
import { patientBroker, type Broker, type Json } from '../support/broker.ts';
import { inTurns } from '../support/in-turns.ts';
import { signContract } from '../support/played-contract.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import type { BenchmarkRow } from './row.ts';
import { cpuRow, type Load, type Writer } from './writes.ts';

/** A tender has 1,000 lots at most, one of which keeps its award pending. */
const CONTRACTS_MAX = 999;
/** Requests of the preparation at a time. */
const AT_ONCE = 4;
/** The bar of contracting.md 9.3. */
const COST_MAX = 1.5;

/** What writes to a signed contract cost, against a PATCH of an award of the same tender, which has one contract or many. */
export async function contractRows(stack: Stack, most = CONTRACTS_MAX): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const count of [1, most]) {
    const { writer, award, contract } = await prepare(stack, count);
    const patch = loadAt(writer, { method: 'PATCH', at: `${writer.path}/awards/${award}` });
    const against = { what: `a PATCH of an award (contracts in the tender: ${count})`, load: patch };
    const loads = {
      'PATCH of a contract': loadAt(writer, { method: 'PATCH', at: `/contracts/${contract}` }),
      'PUT of a payment': loadAt(writer, { method: 'PUT', at: `/contracts/${contract}/transactions/1`, body: payment }),
    };
    for (const [what, load] of Object.entries(loads)) {
      const measured = await cpuRow(stack, { what, load, writers: [writer], against });
      rows.push(...measured.map((row) => ({ ...row, atMost: COST_MAX })));
    }
  }
  return rows;
}

interface Target {
  readonly method: string;
  readonly at: string;
  readonly body?: (n: number) => unknown;
}

function loadAt(writer: Writer, { method, at, body = titled }: Target): Load {
  return { method, status: 200, path: () => at + writer.tokenQuery, body };
}

const titled = (n: number): Json => ({ title: `change ${n} at ${performance.now()}` });
const side = (name: string): Json => ({ name, bankAccount: { scheme: 'IBAN', id: 'UA213223130000026007233566001' } });
/** A new status of one payment: any text is one. */
const payment = (n: number): Json => ({
  date: '2026-05-20T12:00:00+03:00',
  value: { amount: 1 },
  payer: side('Міська рада'),
  payee: side('ТОВ Папір'),
  status: `${n} at ${performance.now()}`,
});

interface Prepared {
  readonly writer: Writer;
  /** The award that is pending. */
  readonly award: string;
  /** The contract that is signed. */
  readonly contract: string;
}

/** A tender without auction with so many contracts, the first of them signed, and one lot whose award is pending. */
async function prepare(stack: Stack, contracts: number): Promise<Prepared> {
  const key = 'broker1';
  const buyer = patientBroker(stack.gatewayUrl, key, '2.5');
  const ids = Array.from({ length: contracts + 1 }, (_, n) => (n + 1).toString(16).padStart(32, '0'));
  const tender = await publish(buyer, tenderWithLots(ids), { hasAuction: false });
  const { id, path, tokenQuery } = tender;
  await moveToNextCheck(buyer, id);
  const lotValues = ids.map((relatedLot) => ({ relatedLot, value: { amount: 40 } }));
  const bid = { tenderers: [TENDERER], lotValues };
  await accepted(patientBroker(stack.gatewayUrl, 'broker2', '2.5').post(`${path}/bids`, bid));
  const awards: readonly Json[] = (await moveToNextCheck(buyer, id)).awards;
  await inTurns(awards.slice(1), AT_ONCE, async (award) =>
    accepted(buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' })),
  );
  const [contract] = (await buyer.get(`${path}/contracts`)).body.data;
  await signContract(buyer, { ...tender, contract });
  const writer = { base: `${stack.gatewayUrl}/api/2.5`, key, path, tokenQuery };
  return { writer, award: awards[0].id, contract: contract.id };
}

async function accepted(sent: ReturnType<Broker['get']>): Promise<void> {
  const { status, text } = await sent;
  if (status > 201) throw new Error(`${status} ${text}`);
}

function tenderWithLots(ids: readonly string[]): Json {
  const {
    minimalStep: _step,
    value: _value,
    items: [item] = [],
    ...rest
  }: Json = minimalTender({
    procurementMethodDetails: 'quick, accelerator=1440',
  });
  return {
    ...rest,
    value: { amount: 50 * ids.length },
    lots: ids.map((id, n) => ({ id, title: `Лот ${n + 1}`, value: { amount: 50 } })),
    items: ids.map((relatedLot, n) => ({ ...item, id: `item-${n}`, relatedLot })),
  };
}
