/** A statement for `pg`. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Reads a statement whose parameters are names, such as `:status`: a long list of `$1` to `$11` is easily put in another order than its
 * values. The result makes the statement with the values of these names; it throws when one is missing. A value of undefined is NULL.
 */
export function namedStatement(sql: string): (values: Readonly<Record<string, unknown>>) => Statement {
  const names: string[] = [];
  // Not the `::` of a cast.
  const text = sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return (values) => {
    const missing = names.find((name) => !(name in values));
    if (missing !== undefined) throw new Error(`the statement has no value for :${missing}`);
    return { text, values: names.map((name) => values[name]) };
  };
}
