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

/** Everything that axe-core finds, of whatever impact. */
export async function allBarriers(page: Page): Promise<readonly string[]> {
  return (await violations(page)).map(({ id, impact, html }) => `${impact} ${id}: ${html.slice(0, 200)}`);
}

async function violations(page: Page) {
  return page.evaluate(async () => {
    // axe-core is a script of the page, not a module of this one.
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html }) => ({ id, impact, html })),
    );
  });
}
