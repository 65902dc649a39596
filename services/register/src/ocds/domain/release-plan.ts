import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { isInvalid, readPublicTender } from '@procurement/ocds/public-tender';
import { nextRelease, type Publication, type PublishedState } from '@procurement/ocds/release';
import type { OcdsSettings } from '@procurement/ocds/settings';

/** A revision as the projector reads it. */
export interface ProjectedRevision {
  readonly tenderId: string;
  readonly position: number;
  /** The text as published, with its envelope; undefined when the tender is not listed. */
  readonly text: string | undefined;
}

/** What a revision adds; `failed` when its text cannot be mapped. Undefined when it adds nothing. */
export type PlannedRelease = Publication | { readonly failed: string } | undefined;

const ENVELOPE_START = '{"data":';
const PREFIX_LENGTH = 'ocds-xxxxxx'.length;

/**
 * The release that a revision makes (ocds.md 1.3). Never throws, so that one tender cannot stop the others. A tender keeps the prefix
 * of its first release: an ocid never changes.
 */
export function planRelease(
  revision: ProjectedRevision,
  previous: PublishedState | undefined,
  settings: OcdsSettings,
): PlannedRelease {
  const text = revision.text?.slice(ENVELOPE_START.length, -1) ?? unlistedText(revision, previous);
  if (text === undefined) return undefined;
  const tender = readPublicTender(text);
  if (isInvalid(tender)) return { failed: tender.invalid };
  const ocidPrefix = previous?.ocid.slice(0, PREFIX_LENGTH) ?? settings.ocidPrefix;
  try {
    return nextRelease(tender, previous, { ...settings, ocidPrefix });
  } catch (error) {
    return { failed: String(error) };
  }
}

/** What the mapping takes for a tender that is no longer published: it withdraws what it published before. */
function unlistedText(
  { tenderId, position }: ProjectedRevision,
  previous: PublishedState | undefined,
): string | undefined {
  if (previous === undefined) return undefined;
  // Safe cast: a position is a whole number of microseconds.
  const dateModified = formatServerDate(position as Instant);
  const tenderID = previous.ocid.slice(PREFIX_LENGTH + 1);
  return JSON.stringify({ id: tenderId, tenderID, status: 'draft', dateModified });
}
