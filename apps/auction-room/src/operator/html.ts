/** Pages of operators load nothing, and send forms to themselves only. */
export const OPERATOR_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** A page of operators. `head` and `body` are HTML. */
export function operatorPage(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>${head}<h1>${escaped(title)}</h1>${body}</html>`;
}

export function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOf(
    caption,
    head,
    rows.map((row) => row.map(escaped)),
  );
}

/** A table whose cells are HTML. */
export function tableOf(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table border="1"><caption>${escaped(caption)}</caption>${cells('th', head.map(escaped))}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
