import { readFileSync } from 'node:fs';

type Members = Readonly<Record<string, unknown>>;

/** A revision as the history of the fixture describes it. */
export interface PaperRevision {
  readonly rev: number;
  readonly position: string;
  readonly dateModified: string;
  readonly status: string;
  readonly changed?: readonly string[];
  readonly patch?: readonly unknown[];
}

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'));
}

const states = fixture('paper.states.json') as readonly Members[];

/** The history of one tender (register.md 0.2): what the specification expects. */
export const paperHistory = (fixture('history.paper.json') as { readonly revisions: readonly PaperRevision[] })
  .revisions;

/** The public tender at each revision of `paperHistory`. */
export const paperTenders: readonly Members[] = paperHistory.map(({ dateModified }) => {
  const state = states.find((one) => one['dateModified'] === dateModified);
  if (state === undefined) throw new Error(`the fixture has no state of ${dateModified}`);
  return state;
});
