import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVkey } from '@procurement/proof/notes';
import { noteOfHeader, openReceipt, type Receipt } from '@procurement/proof/receipts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patientBroker, type ApiResponse } from '../support/broker.ts';
import { runIn, VERIFIER, type Ended } from '../support/procurement-program.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const offer = { tenderers: [TENDERER], value: { amount: 400 } };

let folder: string;
let tender: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-receipts-'));
  const { id, path } = await publish(buyer, minimalTender());
  await moveToNextCheck(buyer, id);
  tender = path;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = async (...args: readonly string[]): Promise<Ended> =>
  runIn(folder, [process.execPath, VERIFIER, '--home', folder, ...args]);

function saveFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const receiptIn = ({ headers }: ApiResponse): string => headers.get('procurement-receipt') ?? '';

/** The receipt of an answer, verified by the key that the log names. */
async function verifyReceipt(answer: ApiResponse): Promise<Receipt | undefined> {
  const keys = await (await fetch(`${url}/log/keys`)).text();
  const verifier = parseVkey(/^receipts (.*)$/m.exec(keys)?.[1] ?? '');
  return openReceipt(noteOfHeader(receiptIn(answer)) ?? '', verifier === undefined ? [] : [verifier]);
}

describe('the receipt of a bid', () => {
  it('is verified offline with the keys that were trusted, and with the text of the bid', async () => {
    expect(await verify('trust', url, '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('receipts: ') });
    const created = await seller.post(`${tender}/bids`, offer);
    const { data, access } = created.body;
    expect(await verifyReceipt(created)).toMatchObject({ bid: data.id, version: 1n, state: 'active' });

    const route = `${tender}/bids/${data.id}/receipt?acc_token=${access.token}`;
    const read = await seller.get(route);
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const { receipt, text } = read.body.data;
    expect(JSON.parse(text)).toEqual(data);
    const files = [saveFile('header', receiptIn(created)), saveFile('note', receipt)];
    for (const file of files) {
      const checked = await verify('receipt', file, '--offline', '--text', saveFile('bid.json', text));
      expect(checked).toMatchObject({ code: 0, out: expect.stringContaining(`bid ${data.id}`) });
    }
    const other = await verify('receipt', 'header', '--offline', '--text', saveFile('other.json', `${text} `));
    expect(other.code).toBe(2);
  });

  it('is the same for a repeat by Idempotency-Key, and says `withdrawn` after a DELETE', async () => {
    const key = { headers: { 'idempotency-key': `receipts-${Date.now()}` } };
    const [first, repeat] = [
      await seller.post(`${tender}/bids`, offer, key),
      await seller.post(`${tender}/bids`, offer, key),
    ];
    expect(receiptIn(first)).not.toBe('');
    expect([receiptIn(repeat), repeat.headers.get('idempotency-replayed')]).toEqual([receiptIn(first), 'true']);
    const { data, access } = first.body;
    const withdrawn = await seller.request('DELETE', `${tender}/bids/${data.id}?acc_token=${access.token}`);
    expect(await verifyReceipt(withdrawn)).toMatchObject({ bid: data.id, version: 2n, state: 'withdrawn' });
    expect((await seller.get(`${tender}/bids/${data.id}/receipt?acc_token=${access.token}`)).status).toBe(404);
  });

  it('comes on 2.3, and neither on older segments nor with a dry run', async () => {
    const older = patientBroker(url, 'broker2', '2.3');
    const created = await older.post(`${tender}/bids`, offer);
    expect(await verifyReceipt(created)).toMatchObject({ bid: created.body.data.id, state: 'active' });
    const oldest = await patientBroker(url, 'broker2', '0').post(`${tender}/bids`, offer);
    expect([oldest.status, receiptIn(oldest)]).toEqual([201, '']);
    const tried = await seller.post(`${tender}/bids?opt_dry_run=1`, offer);
    expect([tried.status, receiptIn(tried)]).toEqual([201, '']);
  });
});
