import { parseDateTime } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { IgnoredMember } from '@procurement/contracts/problems/ignored-members';
import { deepEqual } from './equality.ts';

/** What the tables of permissions let a caller change in an object. */
export interface Edits {
  /** The status of the object before the change. */
  readonly status: string;
  /** All statuses that the object can have. */
  readonly statuses: readonly string[];
  /** The members that take effect while the object has a status. */
  membersIn(status: string): readonly string[];
}

/** The same members take effect in every status in which the object can be changed at all. */
export function editsInAnyStatus(members: readonly string[]): Edits {
  return { status: '', statuses: [], membersIn: () => members };
}

/** A PATCH: `data` as sent, and the object as the caller sees it before and after. */
export interface PatchEffect {
  readonly sent: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly edits: Edits;
}

type Path = readonly string[];

/**
 * The members that a PATCH sends and that are ignored because the caller may not change them now (rulings R40). A value that equals the
 * stored one is not ignored. The members of an object that it shows are named one by one. A list, and an object with a member that it
 * does not show, are named as a whole: the answer has no more paths than the object has members, whatever was sent.
 */
export function ignoredMembers({ sent, before, after, edits }: PatchEffect): readonly IgnoredMember[] {
  const editable = edits.membersIn(edits.status);
  return Object.entries(sent).flatMap(([name, value]): readonly IgnoredMember[] => {
    const isEditable = editable.includes(name);
    // The tables say that it takes effect. The stored text may differ, as titles of test tenders do.
    if (isEditable && typeof value !== 'object') return [];
    const paths = ignoredPaths(value, readMember(before, name), readMember(after, name), isEditable);
    if (paths.length === 0) return [];
    const allowedStatuses = isEditable ? [] : edits.statuses.filter((one) => edits.membersIn(one).includes(name));
    return paths.map((path) => ({ path: [name, ...path], allowedStatuses }));
  });
}

function ignoredPaths(sent: unknown, before: unknown, after: unknown, isEditable: boolean): readonly Path[] {
  if (isShown(sent, before)) return [];
  if (isJsonObject(sent) && isJsonObject(before ?? after)) {
    const paths = Object.entries(sent).flatMap(([name, value]) => {
      const [former, next] = [readMember(before, name), readMember(after, name)];
      const isKnown = former !== undefined || next !== undefined;
      return ignoredPaths(value, former, next, isEditable).map((path) => (isKnown ? [name, ...path] : []));
    });
    return paths.some((path) => path.length === 0) ? [[]] : paths;
  }
  if (!isEditable) return isShown(sent, after) ? [] : [[]];
  if (!Array.isArray(sent) || !Array.isArray(after)) return deepEqual(before, after) ? [[]] : [];
  const former: readonly unknown[] = Array.isArray(before) ? before : [];
  const isOneIgnored = sent.some((element, at) => ignoredPaths(element, former[at], after[at], true).length > 0);
  return isOneIgnored ? [[]] : [];
}

function readMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether an object already shows all that the request asks for. */
function isShown(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent)) {
    const elements: readonly unknown[] = Array.isArray(shown) ? shown : [];
    return sent.length === elements.length && sent.every((element, at) => isShown(element, elements[at]));
  }
  if (isJsonObject(sent)) return Object.entries(sent).every(([name, value]) => isShown(value, readMember(shown, name)));
  return sent === shown || (sent ?? shown ?? undefined) === undefined || isSameScalar(sent, shown);
}

/** Whether a sent scalar is the shown one in another form that the service reads (tenders.md section 4). */
function isSameScalar(sent: unknown, shown: unknown): boolean {
  if (typeof sent === 'object' || typeof shown === 'object') return false;
  if (typeof sent === 'string' && typeof shown === 'string')
    return isSameInstant(sent, shown) || isSameFile(sent, shown);
  if (typeof shown === 'number') return typeof sent === 'string' && sent.trim() !== '' && Number(sent) === shown;
  if (typeof shown === 'boolean')
    return typeof sent === 'string' ? sent.toLowerCase() === String(shown) : sent === Number(shown);
  return typeof sent === 'number' && String(sent) === shown;
}

function isSameInstant(sent: string, shown: string): boolean {
  const [a, b] = [parseDateTime(sent), parseDateTime(shown)];
  return a !== undefined && a.instant === b?.instant;
}

/** Host and segment of the address of a file follow the request (rulings R29). */
const FILE_ADDRESS_START = /^https?:\/\/[^/]+\/(?:api\/[\d.]+\/|(?=get\/))/;

function isSameFile(sent: string, shown: string): boolean {
  return (
    FILE_ADDRESS_START.test(shown) && sent.replace(FILE_ADDRESS_START, '') === shown.replace(FILE_ADDRESS_START, '')
  );
}
