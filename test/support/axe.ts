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

/** Everything that axe-core finds, of whatever impact, by all rules or by some. */
export async function allBarriers(page: Page, rules: object = {}): Promise<readonly string[]> {
  return (await violations(page, rules)).map(({ id, impact, html }) => `${impact} ${id}: ${html.slice(0, 200)}`);
}

/** Telephones, a tablet and a screen (portal.md 3). */
export const WIDTHS = [320, 390, 768, 1280] as const;
const NARROWEST = WIDTHS[0];
export const WIDEST = WIDTHS[3];

/** Rules of axe-core that read colours. In the dark a page has other colours and is otherwise the same (`dark.test.ts` of page-style). */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Finds the barriers of a page that is looked at in both schemes and at all widths: in the dark those of colours, and those at the
 * narrowest and the widest only. These two rules take three quarters of the time, and a page has the colours of one of these widths
 * (`dark.test.ts`).
 */
export async function barriersAt(page: Page, scheme: 'light' | 'dark', width: number): Promise<readonly string[]> {
  if (width === NARROWEST || width === WIDEST)
    return allBarriers(page, scheme === 'light' ? {} : { runOnly: RULES_OF_COLOURS });
  if (scheme === 'dark') return [];
  return allBarriers(page, { rules: Object.fromEntries(RULES_OF_COLOURS.map((rule) => [rule, { enabled: false }])) });
}

async function violations(page: Page, rules: object = {}) {
  // Of what is right axe-core would work out an address for every element.
  const options = { resultTypes: ['violations'], ...rules };
  return page.evaluate(async (given) => {
    // axe-core is a script of the page, not a module of this one.
    const { axe } = globalThis as unknown as { axe: { run(it: object): Promise<{ violations: Violation[] }> } };
    return (await axe.run(given)).violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html }) => ({ id, impact, html })),
    );
  }, options);
}
