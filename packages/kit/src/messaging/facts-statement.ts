/** A piece of SQL with parameters of its own, written `:1`, `:2`... */
export interface SqlPart {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What one statement does with a batch of facts, beside raising the position of its durable. */
export interface FactsStatement {
  /** Of the prepared statement: the same name has the same text. */
  readonly name: string;
  /**
   * Statements that write. Each writes only under `IF_RAISED`, so that nothing is stored while the position is lost, or when
   * `unless` holds.
   */
  readonly writes: readonly SqlPart[];
  /** A condition under which nothing is stored, because the events need `apply`. */
  readonly unless?: SqlPart;
}

/** The condition of every write of a `FactsStatement`. */
export const IF_RAISED = 'EXISTS (SELECT FROM raised)';

/** The text of a part, and the values so far, after its parameters got numbers behind those of `values`. */
export function numbered({ text, values: own }: SqlPart, values: unknown[]): string {
  const before = values.length;
  values.push(...own);
  // Not the `::` of a cast.
  return text.replaceAll(/(?<!:):(\d+)/g, (_, n: string) => `$${before + Number(n)}`);
}
