import { isObject } from './codec.ts';
import { shownParty } from './party.ts';

/** Canonical name and the name that segments 2.3 and 0 show (generations.md 3.8). Other members keep theirs. */
const RENAMED: Readonly<Record<string, string>> = {
  id: 'awardID',
  date: 'awardDate',
  status: 'awardStatus',
  value: 'awardValue',
};

/** A canonical award as segment 2.3 shows it. */
export function shownAward(award: unknown): unknown {
  if (!isObject(award)) return award;
  return Object.fromEntries(
    Object.entries(award).map(([name, value]) => [
      RENAMED[name] ?? name,
      name === 'suppliers' && Array.isArray(value) ? value.map(shownParty) : value,
    ]),
  );
}
