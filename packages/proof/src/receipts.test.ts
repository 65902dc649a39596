import { describe, expect, it } from 'vitest';
import { fixture, receiptVectors, testSigner } from '../test-support/fixtures.ts';
import { parseVkey, type Verifier } from './notes.ts';
import { judgeReceipt, noteOfHeader, openReceipt, receiptHeader, signReceipt } from './receipts.ts';
import { bidDigest, parseSeal, sealHash, writeSeal } from './seals.ts';

const honest = fixture<{ readonly tender: string; readonly files: Readonly<Record<string, string>> }>(
  'mirrors/honest.json',
);
const disclosed: {
  readonly data: { readonly seal: string; readonly bids: readonly Record<'salt' | 'text', string>[] };
} = JSON.parse(honest.files[`api/2.5/tenders/${honest.tender}/bids_seal`] ?? '');
const sealText = disclosed.data.seal;
const seal = parseSeal(sealText);
const key = parseVkey(receiptVectors.key) as Verifier;
const open = (header: string) => openReceipt(noteOfHeader(header) ?? '', [key]);
/** A verifier knows which log it asks. */
const openOfLog = (header: string) => {
  const receipt = open(header);
  return receipt?.log === 'procurement.example/log' ? receipt : undefined;
};

describe('receipts', () => {
  it.each(receiptVectors.cases)('judges: $what', ({ note, header, findings }) => {
    expect(receiptHeader(note)).toBe(header);
    const receipt = open(header);
    expect(receipt && seal && [judgeReceipt(receipt, seal)].filter((code) => code !== undefined)).toEqual(findings);
    expect(receipt && signReceipt(receipt, testSigner('procurement.example/log/bids', 'bids'))).toBe(note);
  });

  it.each(receiptVectors.refused)('refuses: $what', ({ header }) => {
    expect(openOfLog(header)).toBeUndefined();
  });
});

describe('seals', () => {
  it('reads and writes a seal', () => {
    expect(seal && writeSeal(seal)).toBe(sealText);
    expect(seal?.bids).toHaveLength(2);
    const [bid] = disclosed.data.bids;
    expect(seal?.bids[0]?.digest).toBe(bidDigest(Buffer.from(bid?.salt ?? '', 'hex'), receiptVectors.text));
    expect(honest.files[`api/2.5/tenders/${honest.tender}`]).toContain(sealHash(sealText));
  });

  const withdrawn = /withdrawn (\w+) 2\n/;
  it.each([
    ['another version', sealText.replace('seal/1', 'seal/2')],
    ['no last line feed', sealText.slice(0, -1)],
    ['a line too many', `${sealText}more 1\n`],
    [
      'a withdrawn bid before a bid',
      sealText.replace(withdrawn, '').replace('bid ', `${withdrawn.exec(sealText)?.[0]}bid `),
    ],
    ['a bid twice', sealText + (withdrawn.exec(sealText)?.[0] ?? '')],
    ['a leading zero', sealText.replace('end 1', 'end 01')],
    ['a line twice', sealText.replace(/(end .*\n)/, '$1$1')],
    ['a digest that is cut off', sealText.replace(/[0-9a-f]\nwithdrawn/, '\nwithdrawn')],
  ])('refuses %s', (_, text) => {
    expect(text).not.toBe(sealText);
    expect(parseSeal(text)).toBeUndefined();
  });
});
