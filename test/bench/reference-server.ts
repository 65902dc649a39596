import { once } from 'node:events';
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The reference of reads: bare Fastify with a constant body behind a bare `@fastify/http-proxy`. */
export interface ReferenceServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts each of the two in its own process, as the gateway and a service are. */
export async function startReference(body: string): Promise<ReferenceServer> {
  const service = await forkServer('constant', body);
  const proxy = await forkServer('proxy', service.url);
  return {
    url: proxy.url,
    stop: async () => {
      await Promise.all([service, proxy].map(async ({ process }) => terminate(process)));
    },
  };
}

async function forkServer(role: string, argument: string): Promise<{ url: string; process: ChildProcess }> {
  const entry = fileURLToPath(new URL('reference-process.ts', import.meta.url));
  const process = fork(entry, [role], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  process.send(argument);
  const [url] = await once(process, 'message');
  return { url: String(url), process };
}

async function terminate(process: ChildProcess): Promise<void> {
  const exit = once(process, 'exit');
  process.kill();
  await exit;
}
