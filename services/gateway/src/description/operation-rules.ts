import { RATE_CLASSES } from '@procurement/contracts/api/route';
import type { DescribedRoute } from './described-route.ts';
import { OPERATION_RULES } from './operation-rules.golden.ts';

const TITLES = { who: 'Who', when: 'When', changes: 'Changes', next: 'Next' } as const;

/**
 * The description of an operation with its rules on segment 2.5, which are made of the tables of the services (`npm run rules`).
 * Older segments check other things (rulings R3).
 */
export function fullDescription(route: DescribedRoute): string {
  const rules = OPERATION_RULES[route.name];
  if (rules === undefined) return route.description;
  // The keys of a constant object are its type's keys.
  const lines = (Object.keys(TITLES) as (keyof typeof TITLES)[]).flatMap((name) => {
    const text = rules[name];
    return text === undefined ? [] : [`- ${TITLES[name]}: ${text}.`];
  });
  return `${route.description}\n\n${[...lines, ...rateLines(route)].join('\n')}`;
}

function rateLines({ rateClass }: DescribedRoute): readonly string[] {
  if (rateClass === undefined) return [];
  const { perAddress, perBroker } = RATE_CLASSES[rateClass];
  return [`- Rate: ${perAddress} requests a second of one address, ${perBroker} of one key.`];
}
