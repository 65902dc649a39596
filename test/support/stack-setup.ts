import { rmSync } from 'node:fs';
import { startStack } from '@procurement/local-stack/stack';
import type { TestProject } from 'vitest/node';
import { useGivenServers } from './given-servers.ts';
import { PATIENCE } from './patience.ts';
import { serviceCommand } from './service-command.ts';

declare module 'vitest' {
  interface ProvidedContext {
    gatewayUrl: string;
    /** A key of the group `admins`, of which a sandbox has none (rulings R14); empty on a system of others. */
    adminsKey: string;
  }
}

const ADMINS_KEY = 'admin-of-tests';

let stopStack: () => Promise<void> = async () => undefined;

/** Starts one system for all e2e tests; fault tests start their own. With GATEWAY_URL, uses that system, in sandbox mode. */
export async function setup(project: TestProject): Promise<void> {
  const configuredUrl = process.env['GATEWAY_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') {
    project.provide('gatewayUrl', configuredUrl);
    project.provide('adminsKey', '');
    return;
  }
  const given = await useGivenServers();
  const stack = await startStack({ durable: false, env: PATIENCE, ...given });
  stopStack = async () => {
    await stack.stop();
    if (given.dataDir !== undefined) rmSync(given.dataDir, { recursive: true });
  };
  await serviceCommand(stack, 'gateway', 'brokers', 'add', ADMINS_KEY, '--group', 'admins', '--key', ADMINS_KEY);
  project.provide('gatewayUrl', stack.gatewayUrl);
  project.provide('adminsKey', ADMINS_KEY);
}

export async function teardown(): Promise<void> {
  await stopStack();
}
