import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { deepEqual } from '@procurement/domain/equality';
import { objects } from './values.ts';

/** The tags of the standard that are used, in the order in which a release shows them (ocds.md 1.4). */
const TAGS = [
  'tender',
  'tenderUpdate',
  'tenderCancellation',
  'award',
  'awardUpdate',
  'awardCancellation',
  'contract',
  'contractUpdate',
  'contractTermination',
] as const;
export type ReleaseTag = (typeof TAGS)[number];

/** Tags of a section of entries: of a new entry, of a changed one, and of one that came to the status `ended`. */
const SECTIONS = {
  awards: { added: 'award', changed: 'awardUpdate', ended: 'awardCancellation', endedStatus: 'cancelled' },
  contracts: { added: 'contract', changed: 'contractUpdate', ended: 'contractTermination', endedStatus: 'terminated' },
} as const;

/** Tags of a release, by its difference to the snapshot before it. `after` differs from `before`. */
export function tagsOf(before: JsonObject | undefined, after: JsonObject): readonly ReleaseTag[] {
  if (before === undefined) {
    return [
      'tender',
      ...(after['awards'] ? ['award' as const] : []),
      ...(after['contracts'] ? ['contract' as const] : []),
    ];
  }
  const found = new Set<ReleaseTag>([
    ...tenderTags(before, after),
    ...entryTags('awards', before, after),
    ...entryTags('contracts', before, after),
  ]);
  // Parties, buyer or language only.
  return found.size === 0 ? ['tenderUpdate'] : TAGS.filter((tag) => found.has(tag));
}

function tenderTags(before: JsonObject, after: JsonObject): readonly ReleaseTag[] {
  if (statusOf(after['tender']) === 'cancelled' && statusOf(before['tender']) !== 'cancelled')
    return ['tenderCancellation'];
  return deepEqual(before['tender'], after['tender']) && deepEqual(before['bids'], after['bids'])
    ? []
    : ['tenderUpdate'];
}

function entryTags(section: keyof typeof SECTIONS, before: JsonObject, after: JsonObject): readonly ReleaseTag[] {
  const { added, changed, ended, endedStatus } = SECTIONS[section];
  const earlier = new Map(objects(before[section]).map((entry) => [entry['id'], entry]));
  const entries = objects(after[section]);
  const tags = entries.flatMap((entry): readonly ReleaseTag[] => {
    const old = earlier.get(entry['id']);
    if (old === undefined) return [added];
    if (deepEqual(old, entry)) return [];
    return [entry['status'] === endedStatus && old['status'] !== endedStatus ? ended : changed];
  });
  const ids = new Set(entries.map(({ id }) => id));
  return [...earlier.keys()].some((id) => !ids.has(id)) ? [...tags, changed] : tags;
}

function statusOf(section: unknown): unknown {
  return isJsonObject(section) ? section['status'] : undefined;
}
