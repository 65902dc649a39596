import { RedactionRow, type RedactionsQuestion } from '@procurement/contracts/events/redactions';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { askLines } from '@procurement/kit/messaging/request/request-lines';

/** A text that lost a member by law; the digest is of the text without it. */
export type Redaction = Omit<RedactionRow, 'position'> & { readonly position: number };

/** Redactions after an id, oldest first. */
export interface RedactionPage {
  readonly redactions: readonly Redaction[];
  /** There may be more. */
  readonly isFull: boolean;
  /** The id after which a line cannot be read: `redactions` are those before it. */
  readonly unreadableAfter: number | undefined;
}

const ROWS_MAX = 1_000;
/** Publications do not wait longer for the register. */
const ANSWER_MS_MAX = 1_000;

/** Asks the register for its redactions after an id. Undefined: no answer now. */
export async function askRedactions(bus: Bus, after: number, rowsMax = ROWS_MAX): Promise<RedactionPage | undefined> {
  const question: RedactionsQuestion = { after, rowsMax: Math.min(rowsMax, ROWS_MAX) };
  const answer = await askLines(bus, rpcSubjects.registerRedactions, question, ANSWER_MS_MAX);
  const lines = answer?.filter((line) => line !== '');
  if (lines === undefined) return undefined;
  const rows = lines.map(parseRedaction);
  const end = rows.indexOf(undefined);
  const redactions = rows.slice(0, end < 0 ? rows.length : end).filter((row) => row !== undefined);
  return {
    redactions,
    isFull: lines.length === question.rowsMax,
    unreadableAfter: end < 0 ? undefined : (redactions.at(-1)?.id ?? after),
  };
}

function parseRedaction(line: string): Redaction | undefined {
  try {
    const { position, ...row } = RedactionRow.parse(JSON.parse(line));
    return { ...row, position: Number(position) };
  } catch {
    return undefined;
  }
}
