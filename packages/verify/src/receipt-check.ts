import { noteOfHeader, judgeReceipt, openReceipt, type Receipt } from '@procurement/proof/receipts';
import { bidDigest } from '@procurement/proof/seals';
import type { Verifier } from '@procurement/proof/notes';
import type { Context } from './checkpoint.ts';
import { readDisclosure } from './opening.ts';
import { FindingError, type Report } from './report.ts';
import type { ShownState } from './tender-texts.ts';

/** Reads a receipt: the value of the header `Procurement-Receipt`, or the note in it. */
export function readReceipt(report: Report, given: string, keys: readonly Verifier[], log: string): Receipt {
  const note = given.startsWith('procurement-receipt/') ? given : noteOfHeader(given.trim());
  const receipt = openReceipt(note ?? '', keys);
  if (receipt === undefined)
    throw new FindingError('signature', 'receipt', 'signed by the key of receipts', 'another text, or no receipt');
  if (receipt.log !== log) throw new FindingError('signature', 'receipt', `of the log ${log}`, receipt.log);
  report.say(
    'receipt',
    `bid ${receipt.bid} of tender ${receipt.tender}, version ${receipt.version}, ${receipt.state}: signed`,
  );
  return receipt;
}

/** Compares the text of the bid with the receipt. */
export function judgeReceiptText(report: Report, { salt, sha256 }: Receipt, text: Uint8Array): void {
  const digest = bidDigest(Buffer.from(salt, 'hex'), text);
  if (digest !== sha256) report.add('text', 'text of the bid', sha256, digest);
  else report.say('receipt', 'the text is the one that was acknowledged');
}

/** Compares the receipt with the bids that were fixed at the closing (docs/spec/proof.md 5.3). */
export async function checkReceipt(context: Context, receipt: Receipt, states: readonly ShownState[]): Promise<void> {
  const { report } = context;
  const disclosure = await readDisclosure(context, receipt.tender, states);
  if (disclosure === undefined) return;
  const { seal } = disclosure;
  const code = judgeReceipt(receipt, seal);
  const line = seal.bids.find(({ id }) => id === receipt.bid) ?? seal.withdrawn.find(({ id }) => id === receipt.bid);
  if (code === undefined) return report.say('receipt', 'the seal agrees with it');
  const found = line === undefined ? 'no line' : Object.values(line).join(' ');
  // A receipt that was signed after the closing breaks no statement of the operator.
  const isLater = receipt.seen > seal.at;
  report.add(
    isLater ? 'receipt-later' : code,
    `bid ${receipt.bid}`,
    `version ${receipt.version}, ${receipt.state}, ${receipt.sha256}`,
    found,
  );
}
