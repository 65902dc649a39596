import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { JSON_TYPE } from '@procurement/kit/http/server';
import type { FastifyInstance } from 'fastify';
import { SANDBOX_BROKERS } from '../auth/sandbox-keys.ts';
import type { Deps } from '../deps.ts';
import { contentSecurityPolicy, ownHostOf } from './docs-page.ts';

/** The folder of all scripts of the page, which has no answers of the API. */
const ASSET_FOLDER = '/landing/assets/';
const ASSETS: ReadonlySet<string> = new Set(['/main.js', '/style.css']);

/** The page at `/` (apps/landing), and the keys that it shows: those of a sandbox, which are public (rulings R14). */
export async function registerLandingPage(
  app: FastifyInstance,
  { responseSettings }: Pick<Deps, 'responseSettings'>,
): Promise<void> {
  // Resolved as a package, so that it is found from the sources, the build and the bundle of an image.
  const root = join(dirname(createRequire(import.meta.url).resolve('@procurement/landing/package.json')), 'src/gen');
  const page = readFileSync(join(root, 'index.html'), 'utf8');
  const ownHost = ownHostOf(responseSettings);
  const keys = responseSettings.sandbox ? SANDBOX_BROKERS.map(({ name, group }) => ({ name, group })) : [];
  app.get('/', async (request, reply) => {
    const policy = contentSecurityPolicy(request, ownHost, ASSET_FOLDER);
    return reply.headers({ 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policy }).send(page);
  });
  app.get('/landing/sandbox.json', async (_request, reply) =>
    reply.header('content-type', JSON_TYPE).send(JSON.stringify({ keys })),
  );
  await app.register(fastifyStatic, {
    root,
    prefix: ASSET_FOLDER,
    index: false,
    decorateReply: false,
    allowedPath: (path) => ASSETS.has(path),
    cacheControl: true,
    maxAge: '5m',
  });
}
