import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const PATH = '/docs/guides';
const HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
} as const;

/** The guides (docs/guides), rendered when apps/landing is generated. A page has no script and loads its style only. */
export function registerGuidePages(app: FastifyInstance): void {
  // Resolved as a package, so that it is found from the sources, the build and the bundle of an image.
  const landing = dirname(createRequire(import.meta.url).resolve('@procurement/landing/package.json'));
  const folder = join(landing, 'src/gen/guides');
  for (const file of readdirSync(folder)) {
    const page = readFileSync(join(folder, file), 'utf8');
    const path = file === 'index.html' ? PATH : `${PATH}/${file.replace(/\.html$/, '')}`;
    app.get(path, async (_request, reply) => reply.headers(HEADERS).send(page));
  }
}
