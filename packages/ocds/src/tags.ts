import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { deepEqual } from '@procurement/domain/equality';
import { asObjects } from './values.ts';

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
  'contractAmendment',
  'implementation',
  'implementationUpdate',
  'contractTermination',
] as const;
export type ReleaseTag = (typeof TAGS)[number];

/** A section of entries: the tags of a new entry, of one that is gone, and of what changed in one that was there before. */
interface Section {
  readonly name: 'awards' | 'contracts';
  readonly added: ReleaseTag;
  readonly gone: ReleaseTag;
  readonly changed: (old: JsonObject, entry: JsonObject) => readonly ReleaseTag[];
}

const SECTIONS: readonly Section[] = [
  { name: 'awards', added: 'award', gone: 'awardUpdate', changed: awardTags },
  { name: 'contracts', added: 'contract', gone: 'contractUpdate', changed: contractTags },
];

/** Tags of a release, by its difference to the snapshot before it. `after` differs from `before`. */
export function selectTags(before: JsonObject | undefined, after: JsonObject): readonly ReleaseTag[] {
  if (before === undefined) {
    return ['tender', ...SECTIONS.filter(({ name }) => after[name]).map(({ added }) => added)];
  }
  const found = new Set<ReleaseTag>([
    ...tenderTags(before, after),
    ...SECTIONS.flatMap((section) => entryTags(section, before, after)),
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

function entryTags(
  { name, added, gone, changed }: Section,
  before: JsonObject,
  after: JsonObject,
): readonly ReleaseTag[] {
  const earlier = new Map(asObjects(before[name]).map((entry) => [entry['id'], entry]));
  const entries = asObjects(after[name]);
  const tags = entries.flatMap((entry): readonly ReleaseTag[] => {
    const old = earlier.get(entry['id']);
    if (old === undefined) return [added];
    return deepEqual(old, entry) ? [] : changed(old, entry);
  });
  const ids = new Set(entries.map(({ id }) => id));
  return [...earlier.keys()].some((id) => !ids.has(id)) ? [...tags, gone] : tags;
}

function awardTags(old: JsonObject, entry: JsonObject): readonly ReleaseTag[] {
  return [becameStatus('cancelled', old, entry) ? 'awardCancellation' : 'awardUpdate'];
}

/** A contract that differs may have several tags: each says what of it differs. */
function contractTags(old: JsonObject, entry: JsonObject): readonly ReleaseTag[] {
  const known = new Set(asObjects(old['amendments']).map(({ id }) => id));
  const isAmended = asObjects(entry['amendments']).some(({ id }) => !known.has(id));
  const isEnded = becameStatus('terminated', old, entry);
  const isPaid = !deepEqual(old['implementation'], entry['implementation']);
  const rest = ({ implementation: _implementation, status, amendments, ...others }: JsonObject): JsonObject => ({
    ...others,
    amendments: asObjects(amendments).filter(({ id }) => known.has(id)),
    status: isEnded ? undefined : status,
  });
  return [
    ...(deepEqual(rest(old), rest(entry)) ? [] : ['contractUpdate' as const]),
    ...(isAmended ? ['contractAmendment' as const] : []),
    ...(isPaid
      ? [old['implementation'] === undefined ? ('implementation' as const) : ('implementationUpdate' as const)]
      : []),
    ...(isEnded ? ['contractTermination' as const] : []),
  ];
}

function becameStatus(status: string, old: JsonObject, entry: JsonObject): boolean {
  return entry['status'] === status && old['status'] !== status;
}

function statusOf(section: unknown): unknown {
  return isJsonObject(section) ? section['status'] : undefined;
}
