/** Rows as JSON without what PostgreSQL refuses in a text: NUL and halves of surrogate pairs, both of which clients can send. */
export function storableJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(UNSTORABLE, '\uFFFD') : value,
  );
}

const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
