import { once } from 'node:events';
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Something to measure against: a bare Fastify with a constant body behind a bare `@fastify/http-proxy`. */
export interface Reference {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the two as processes of their own, as our gateway and service are. */
export async function startReference(body: string): Promise<Reference> {
  const service = await child('constant', body);
  const proxy = await child('proxy', service.url);
  return {
    url: proxy.url,
    stop: async () => {
      await Promise.all([service, proxy].map(async ({ process }) => ended(process)));
    },
  };
}

async function child(role: string, argument: string): Promise<{ url: string; process: ChildProcess }> {
  const entry = fileURLToPath(new URL('reference-process.ts', import.meta.url));
  const process = fork(entry, [role], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  process.send(argument);
  const [url] = await once(process, 'message');
  return { url: String(url), process };
}

async function ended(process: ChildProcess): Promise<void> {
  const exit = once(process, 'exit');
  process.kill();
  await exit;
}
