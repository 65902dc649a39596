import { startStack } from '@procurement/local-stack/stack';
import type { TestProject } from 'vitest/node';
import { PATIENCE } from './patience.ts';

declare module 'vitest' {
  interface ProvidedContext {
    gatewayUrl: string;
  }
}

let stopStack: () => Promise<void> = async () => undefined;

/** Starts one system for all e2e tests; fault tests start their own. With GATEWAY_URL, uses that system, in sandbox mode. */
export async function setup(project: TestProject): Promise<void> {
  const configuredUrl = process.env['GATEWAY_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') {
    project.provide('gatewayUrl', configuredUrl);
    return;
  }
  const stack = await startStack({ durable: false, env: PATIENCE });
  project.provide('gatewayUrl', stack.gatewayUrl);
  stopStack = async () => stack.stop();
}

export async function teardown(): Promise<void> {
  await stopStack();
}
