import { errorCatalogue, type CatalogueEntry } from '@procurement/contracts/problems/catalogue';
import { ERRORS_PATH } from '@procurement/contracts/problems/explained-body';
import type { FastifyInstance } from 'fastify';

const STYLE =
  'body{font:16px sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}section{padding:.1rem .6rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}:target{background:#ffc}';

/** The page of all codes, to which each error links (http.md 4.6). It has no script and loads nothing. */
export function registerErrorsPage(app: FastifyInstance): void {
  const page = errorsPage();
  app.get(ERRORS_PATH, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=UTF-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      })
      .send(page),
  );
}

function errorsPage(): string {
  const sections = errorCatalogue().map(
    ({ status, advice, entries }) =>
      `<h2>${status}</h2><p>${textWithCode(advice)}</p>
${entries.map(entrySection).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Errors</title><style>${STYLE}</style></head>
<body><h1>Errors</h1><p>Every refusal of the API. A word in braces is filled for each refusal. <a href="/docs">Reference</a></p>
${sections.join('\n')}
</body>
</html>
`;
}

function entrySection({ code, location, name, description, cause, remedy, example }: CatalogueEntry): string {
  return `<section id="${code}"><h3><code>${code}</code></h3>
<p>${location} / ${escaped(name)}: ${escaped(description)}</p>
<p>Cause: ${textWithCode(cause)}</p><p>Remedy: ${textWithCode(remedy)}</p>
<pre>${escaped(example)}</pre></section>`;
}

function textWithCode(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
