/** Rows as JSON without what PostgreSQL refuses in a text: NUL and halves of surrogate pairs, both of which clients can send. */
export function storableJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  // A function for each value takes several times as long, and almost no text needs it.
  return ESCAPED.test(json) ? JSON.stringify(rows, storableValue) : json;
}

/** How JSON.stringify writes them; also a text that has such an escape itself, which costs time only. */
const ESCAPED = /\\u(?:0000|d[89a-f])/;
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function storableValue(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(UNSTORABLE, '\uFFFD') : value;
}
