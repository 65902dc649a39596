import { BYTES_OF_ONE, RATE_CLASSES, type WeighedWork } from '@procurement/contracts/api/rates';
import type { Segment } from '@procurement/contracts/api/route';
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

/** What requests of a segment count in their rates. */
export function weightText(generation: Segment): string {
  const each = (work: WeighedWork, what: string): string => `each ${BYTES_OF_ONE[work] / 1_024} KiB ${what}`;
  const more = [
    each('body', 'of a JSON body'),
    each('saved', 'of the tender, or of all awards and contracts of a tender, that a write saves'),
    each('answer', 'of a JSON answer'),
    generation === '2.5'
      ? each('compared', 'of texts that are compared for patches')
      : each('mapped', 'of an answer of this segment'),
    each('jsonp', 'with `opt_jsonp`'),
    each('indented', 'with `opt_pretty`'),
  ];
  return `A request counts once in its rate, and once more for ${more.join(', for ')}.`;
}
