import { startStack } from '@procurement/local-stack/stack';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    gatewayUrl: string;
  }
}

let end: () => Promise<void> = async () => undefined;

/** One whole system for all stories; fault tests start their own. GATEWAY_URL names one that already runs, in sandbox mode. */
export async function setup(project: TestProject): Promise<void> {
  const running = process.env['GATEWAY_URL'];
  if (running !== undefined && running !== '') {
    project.provide('gatewayUrl', running);
    return;
  }
  const stack = await startStack({ durable: false });
  project.provide('gatewayUrl', stack.gatewayUrl);
  end = async () => stack.stop();
}

export async function teardown(): Promise<void> {
  await end();
}
