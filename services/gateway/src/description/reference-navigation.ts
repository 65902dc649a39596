import { html, type Html } from '@procurement/page-style/html';
import type { OpenApiDocument } from './openapi.ts';

/** Links to all operations of a document by tag. The addresses are those by which Swagger UI opens an operation. */
export function referenceNavigation({ tags, paths }: Pick<OpenApiDocument, 'tags' | 'paths'>): Html {
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation })),
  );
  const renderLinks = (tag: string): readonly Html[] =>
    operations
      // Every operation has one tag (openapi-names.ts).
      .filter(({ operation }) => [operation['tags']].flat()[0] === tag)
      .map(
        ({ method, operation }) =>
          html`<li><a href="#/${tag}/${String(operation['operationId'])}"><span class="method${method !== 'get' && ' write'}">${method.toUpperCase()}</span> ${String(operation['summary'])}</a></li>`,
      );
  return html`${tags.map(({ name }) => {
    const links = renderLinks(name);
    return html`<details><summary>${name} <span class="count">${links.length}</span></summary><ul>${links}</ul></details>`;
  })}`;
}
