import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { mapBody, ocidOf } from './body.ts';
import { contentHash } from './canonical-json.ts';
import { WITHDRAWN } from './codes.ts';
import { mergeRelease } from './merge.ts';
import type { PublicTender } from './public-tender.ts';
import { withRemovalMarkers } from './removal-markers.ts';
import type { OcdsSettings } from './settings.ts';
import { selectTags, type ReleaseTag } from './tags.ts';

export interface Release extends JsonObject {
  readonly ocid: string;
  readonly id: string;
  readonly date: string;
  readonly tag: readonly ReleaseTag[];
}

/** What is kept of an ocid: enough to make its next release and its record. */
export interface PublishedState {
  readonly ocid: string;
  /** Date of the last release. */
  readonly date: string;
  /** Hash of the snapshot: a tender that maps to the same content makes no release. */
  readonly hash: string;
  /** The last body, without removal markers. */
  readonly snapshot: JsonObject;
  readonly compiled: JsonObject;
}

export interface Publication {
  readonly release: Release;
  readonly state: PublishedState;
}

/**
 * The release that a public state of a tender makes, and the state to keep in the same transaction. Undefined when it makes none:
 * the tender is not published, or nothing in its mapping changed since `previous`. So a repeated call makes no second release.
 */
export function nextRelease(
  tender: PublicTender,
  previous: PublishedState | undefined,
  settings: OcdsSettings,
): Publication | undefined {
  const snapshot = isPublished(tender, settings) ? mapBody(tender, settings) : withdrawn(previous);
  if (snapshot === undefined) return undefined;
  const hash = contentHash(snapshot);
  if (hash === previous?.hash) return undefined;
  const { ocid: _ocid, ...body } = previous === undefined ? snapshot : withRemovalMarkers(previous.snapshot, snapshot);
  const [ocid, date] = [ocidOf(tender.tenderID, settings), releaseDate(tender, previous)];
  const release: Release = {
    ocid,
    id: `${ocid}-${date.replaceAll(/[-:.]/g, '')}`,
    date,
    tag: selectTags(previous?.snapshot, snapshot),
    ...body,
  };
  return { release, state: { ocid, date, hash, snapshot, compiled: mergeRelease(previous?.compiled, release) } };
}

/** Whether a tender is published: not a draft, and a test tender in an installation that publishes them (ocds.md 1.1). */
export function isPublished(tender: PublicTender, settings: Pick<OcdsSettings, 'includeTest'>): boolean {
  return tender.status !== 'draft' && (tender['mode'] !== 'test' || settings.includeTest);
}

/** A tender that was published and is taken out: its last snapshot, with the status that says so. */
function withdrawn(previous: PublishedState | undefined): JsonObject | undefined {
  if (previous === undefined) return undefined;
  const { tender } = previous.snapshot;
  return { ...previous.snapshot, tender: { ...(isJsonObject(tender) ? tender : {}), status: WITHDRAWN } };
}

/** UTC with three decimals: the tools of the standard order releases by this text. It grows by at least a millisecond. */
function releaseDate(tender: PublicTender, previous: PublishedState | undefined): string {
  const after = previous === undefined ? -Infinity : Date.parse(previous.date) + 1;
  return new Date(Math.max(Date.parse(tender.dateModified), after)).toISOString();
}
