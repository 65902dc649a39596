import { RedactionRow, type RedactionsQuestion } from '@procurement/contracts/events/redactions';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { askLines } from '@procurement/kit/messaging/request/request-lines';

/** A text that lost a member by law; the digest is of the text without it. */
export type Redaction = Omit<RedactionRow, 'position'> & { readonly position: number };

const ROWS_MAX = 1_000;
/** Publications do not wait longer for the register. */
const ANSWER_MS_MAX = 1_000;

/** The register's redactions after an id. Undefined: no answer now. Throws when the answer cannot be read. */
export async function askRedactions(bus: Bus, after: number): Promise<readonly Redaction[] | undefined> {
  const question: RedactionsQuestion = { after, rowsMax: ROWS_MAX };
  const lines = await askLines(bus, rpcSubjects.registerRedactions, question, ANSWER_MS_MAX);
  return lines?.filter((line) => line !== '').map((line) => redactionOf(RedactionRow.parse(JSON.parse(line))));
}

function redactionOf({ position, ...row }: RedactionRow): Redaction {
  return { ...row, position: Number(position) };
}
