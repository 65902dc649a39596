import { SERVICES } from '@procurement/local-stack/ports';
import { describeDifference, verify } from '@procurement/local-stack/verify/verify';
import type { Stack } from '@procurement/local-stack/stack';
import { queryService } from './hold-row.ts';

const ROUNDS_MAX = 8;
const ROUND_MS = 10_000;
const WAITING_SERVICES = SERVICES.filter((service) => service !== 'gateway' && service !== 'register');

/**
 * What `npm run verify` finds, once everything that is under way has ended; nothing when all is equal. What a service waits for it
 * asks for again at once, and not after the minutes that grow with each repetition (decision 0062).
 */
export async function settledDifferences(stack: Stack): Promise<readonly string[]> {
  for (let round = 1; ; round += 1) {
    for (const service of WAITING_SERVICES)
      await queryService(stack, service, 'UPDATE kit.flow_wait SET ask_at = now()');
    const differences = await verify({ databaseUrl: (service) => stack.databaseUrl(service), waitMs: ROUND_MS });
    if (differences.length === 0 || round === ROUNDS_MAX) return differences.map(describeDifference);
  }
}
