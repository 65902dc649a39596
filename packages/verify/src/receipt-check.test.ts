import { join } from 'node:path';
import { keysText } from '@procurement/proof/checkpoints';
import { parseVkey, signNote, type Verifier } from '@procurement/proof/notes';
import { openReceipt, signReceipt, type Receipt } from '@procurement/proof/receipts';
import { describe, expect, it } from 'vitest';
import { receiptVectors, testSigner } from '../../proof/test-support/fixtures.ts';
import { codesOf, fileIn, readMirror, Reader } from '../test-support/mirror.ts';

const honest = readMirror('honest');
const T = honest.tender;

describe('receipt', () => {
  it.each(receiptVectors.cases)('judges $what', async ({ header, note, findings, exit }) => {
    const reader = new Reader(honest);
    for (const content of [`${header}\n`, note]) {
      const answer = await reader.check('receipt', fileIn(reader, 'receipt', content));
      expect({ findings: codesOf(answer), exit: answer.exit }).toEqual({ findings, exit });
    }
    const before = reader.asked.length;
    expect((await reader.run('receipt', join(reader.home, 'receipt'), '--offline')).exit).toBe(0);
    expect(reader.asked).toHaveLength(before);
  });

  it.each(receiptVectors.refused)('refuses $what', async ({ header }) => {
    const reader = new Reader(honest);
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', header), '--offline');
    expect(answer).toMatchObject({ exit: 2, findings: [{ code: 'signature' }] });
  });

  it('compares the text of the bid', async () => {
    const reader = new Reader(honest);
    const receipt = fileIn(reader, 'receipt', receiptVectors.cases[0]?.header ?? '');
    const good = await reader.check('receipt', receipt, '--text', fileIn(reader, 'bid', receiptVectors.text));
    expect(good.exit).toBe(0);
    const bad = await reader.check('receipt', receipt, '--text', fileIn(reader, 'bid', `${receiptVectors.text} `));
    expect(bad).toMatchObject({ exit: 2, findings: [{ code: 'text' }] });
  });

  it('is not proven before the opening', async () => {
    const reader = new Reader(honest);
    delete reader.files[`api/2.5/tenders/${T}/bids_seal`];
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', receiptVectors.cases[0]?.header ?? ''));
    expect(answer).toMatchObject({ exit: 3, findings: [{ code: 'withheld' }] });
  });

  const known = parseVkey(receiptVectors.key) as Verifier;
  const first = openReceipt(receiptVectors.cases[0]?.note ?? '', [known]) as Receipt;

  it.each([
    ['before the closing', first.seen, 'receipt', 2],
    ['after it, which breaks no statement', first.seen + 3_600_000_000n, 'receipt-later', 3],
  ])('does not fit the seal, signed %s', async (_, seen, code, exit) => {
    const reader = new Reader(honest);
    const signer = testSigner('procurement.example/log/bids', 'bids');
    const note = signReceipt({ ...first, seen, sha256: '0'.repeat(64) }, signer);
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', note));
    expect({ findings: codesOf(answer), exit: answer.exit }).toEqual({ findings: [code], exit });
  });

  it('is of another log, whose key this log names', async () => {
    const reader = new Reader(honest);
    const other = testSigner('other.example/log/bids', 'bids');
    const log = testSigner('procurement.example/log', 'log');
    reader.files['log/keys'] = signNote(keysText([log.verifier], [other.verifier]), [log]);
    const note = signReceipt({ ...first, log: 'other.example/log' }, other);
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', note), '--offline');
    expect(answer).toMatchObject({ exit: 2, findings: [{ code: 'signature', found: 'other.example/log' }] });
  });
});
