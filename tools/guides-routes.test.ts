import { readdirSync, readFileSync } from 'node:fs';
import { selectRoutes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../docs/guides/', import.meta.url);
const guides = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')] as const);

/** The method and the path, with `_` for each parameter. */
const form = (method: string, path: string): string => `${method} ${path.replaceAll(/:\w+|\{[^}]*\}|<[^>]*>/g, '_')}`;
const routes = new Set(selectRoutes({ sandbox: true }).map(({ method, path }) => form(method, path)));
/** Endpoints of the gateway itself, and of the document service. */
const OTHERS = new Set(['GET /docs', 'GET /health', 'POST /upload', 'POST /register']);

describe('an operation that a guide names', () => {
  const named = guides.flatMap(([name, text]) =>
    [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (?:\/api\/2\.5)?(\/[^`\s?]*)/g)].map(
      ([, method = '', path = '']) => [name, form(method, path)],
    ),
  );

  it('is found', () => {
    expect(named.length).toBeGreaterThan(10);
  });

  it.each(named)('exists: %s, %s', (_guide, operation) => {
    expect([...routes, ...OTHERS]).toContain(operation);
  });
});
