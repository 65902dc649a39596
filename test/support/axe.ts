import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** A script that finds barriers for people with disabilities. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe-core, which the page has, finds of impact serious or critical: rules and elements. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const serious = (await violations(page)).filter(({ impact }) => /serious|critical/.test(impact));
  return [...new Set(serious.map(({ id, html }) => `${id}: ${html.slice(0, 200)}`))];
}

/** Everything that axe-core finds, of whatever impact, by all rules or by these. */
export async function allBarriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  return (await violations(page, rules)).map(({ id, impact, html }) => `${impact} ${id}: ${html.slice(0, 200)}`);
}

/** Rules of axe-core that read colours. In the dark a page has other colours and is otherwise the same (`dark.test.ts` of page-style). */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Finds barriers of a page that is looked at in the light and in the dark: in the dark those that it can have there only. */
export const barriersIn = {
  light: allBarriers,
  dark: async (page: Page): Promise<readonly string[]> => allBarriers(page, RULES_OF_COLOURS),
};

async function violations(page: Page, rules?: readonly string[]) {
  // Of what is right axe-core would work out an address for every element.
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate(async (given) => {
    // axe-core is a script of the page, not a module of this one.
    const { axe } = globalThis as unknown as { axe: { run(it: object): Promise<{ violations: Violation[] }> } };
    return (await axe.run(given)).violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html }) => ({ id, impact, html })),
    );
  }, options);
}
