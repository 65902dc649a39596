import { forkWith } from './fork-with.ts';
import { processCpuMs } from './process-cpu.ts';

/** The reference of reads: bare Fastify with a constant body behind a bare `@fastify/http-proxy`. */
export interface ReferenceServer {
  readonly url: string;
  /** Processor time that both processes have used. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Starts each of the two in its own process, as the gateway and a service are. */
export async function startReference(body: string): Promise<ReferenceServer> {
  const service = await forkWith(new URL('reference-process.ts', import.meta.url), body, ['constant']);
  const proxy = await forkWith(new URL('reference-process.ts', import.meta.url), String(service.answer), ['proxy']);
  return {
    url: String(proxy.answer),
    cpuMs: () => (processCpuMs(service.pid) ?? 0) + (processCpuMs(proxy.pid) ?? 0),
    stop: async () => {
      await Promise.all([service.stop(), proxy.stop()]);
    },
  };
}
