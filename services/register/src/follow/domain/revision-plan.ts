import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { PUBLICATION_CAUSES } from '@procurement/contracts/resources/causes';
import { changedMembers } from '../../revisions/domain/patch.ts';
import type { KnownTender, KnownTenders, Publication, PublicationSource } from '../../revisions/domain/publication.ts';
import type { DerivedText, ReadTender, TextReading } from './read-text.ts';
import { REVISION_FLAGS } from '../../revisions/domain/revision-flags.ts';
import { parsePublicTender, type TenderColumns } from '../../revisions/domain/tender-columns.ts';

/** A publication as it is stored. */
export interface PlannedRevision {
  readonly publication: Publication;
  /** Position of the tender's revision before; undefined for its first one here. */
  readonly previousOfTender: number | undefined;
  readonly flags: number;
  readonly causes: bigint;
  /** Top-level members that differ from the revision before; undefined for the first. */
  readonly changed: readonly string[] | undefined;
  /** Undefined when it has no text, or an unread one. */
  readonly columns: TenderColumns | undefined;
  /** Size of the text in bytes, and the first 16 bytes of its SHA-256 in hex. Undefined when the revision has no text. */
  readonly size: { readonly bytes: number; readonly digest: string } | undefined;
}

/** A tender after its newest publication. */
export interface PlannedTender extends KnownTender {
  readonly id: string;
  /** Position of the revision with `body`, when its text is stored before the tender; undefined: `body` is sent. */
  readonly bodyAt?: number | undefined;
  readonly listed: boolean;
  readonly isTest: boolean;
  /** Undefined: they stay as they are. */
  readonly columns: TenderColumns | undefined;
  /** What search and statistics store; undefined when the columns are. */
  readonly derived: DerivedText | undefined;
}

export interface RevisionPlan {
  readonly revisions: readonly PlannedRevision[];
  readonly tenders: readonly PlannedTender[];
  /** Publications whose text could not be read, with the error. */
  readonly unread: readonly { readonly publication: Publication; readonly error: unknown }[];
}

/** The bit of the cause of baselines. */
const BASELINE_CAUSE = 1n << BigInt(PUBLICATION_CAUSES.indexOf('baseline'));

/**
 * What publications, in their order, add to the register (register.md 2.4). An unlisted one of an unknown tender adds nothing, nor does a
 * revision that is not newer than the stored one. Texts that cannot be read are kept unread. `readings` has all texts.
 */
export function planRevisions(
  known: KnownTenders,
  publications: readonly Publication[],
  source: PublicationSource,
  readings: ReadonlyMap<Publication, TextReading>,
): RevisionPlan {
  const revisions: PlannedRevision[] = [];
  const unread: { publication: Publication; error: unknown }[] = [];
  const tenders = new Map<string, PlannedTender>();
  // Parsed at most once: the text of a revision is the text before the next one.
  const parsed = new Map<string, JsonObject | undefined>();
  const parsedBefore = (id: string, body: string | undefined): JsonObject | undefined => {
    if (!parsed.has(id)) parsed.set(id, readOrUndefined(body));
    return parsed.get(id);
  };
  for (const publication of publications) {
    const { id, text } = publication;
    const before = tenders.get(id) ?? known.get(id);
    if (publication.rev <= (before?.rev ?? 0)) continue;
    if (before === undefined && !publication.listed) continue;
    const isNext = publication.rev === (before?.rev ?? 0) + 1 || (before === undefined && publication.isFirst === true);
    const reading = readings.get(publication);
    const read = readText(reading, text, before && parsedBefore(id, before.body), source);
    if (read.error !== undefined) unread.push({ publication, error: read.error });
    const { columns, derived } = read.tender ?? {};
    revisions.push({
      publication,
      previousOfTender: before?.position,
      flags:
        buildFlags(source, { isUnread: read.error !== undefined, isFolded: before !== undefined && !isNext }) |
        (publication.redacted === true ? REVISION_FLAGS.redacted : 0),
      causes: source.baseline ? BASELINE_CAUSE : publication.causes,
      changed: before === undefined ? undefined : (read.changed ?? []),
      columns,
      size: reading,
    });
    // Absent: the next revision parses it.
    if (read.tender?.parsed !== undefined) parsed.set(id, read.tender.parsed);
    else if (text !== undefined) parsed.delete(id);
    const last = tenders.get(id);
    tenders.set(id, {
      id,
      position: publication.position,
      rev: publication.rev,
      listed: publication.listed,
      isTest: publication.isTest,
      created: before?.created ?? createdAt(publication, read.tender, source),
      complete: isNext && (before?.complete ?? true),
      body: text ?? before?.body,
      bodyAt: text === undefined ? last?.bodyAt : publication.position,
      columns: columns ?? last?.columns,
      derived: derived ?? last?.derived,
    });
  }
  return { revisions, tenders: [...tenders.values()], unread };
}

/** All members are undefined without a text, all but `error` when it cannot be read. */
interface ReadText {
  readonly tender?: ReadTender;
  /** Undefined too when the text before cannot be read, or there is none. */
  readonly changed?: readonly string[] | undefined;
  readonly error?: unknown;
}

function readText(
  reading: TextReading | undefined,
  text: string | undefined,
  before: JsonObject | undefined,
  { unread }: PublicationSource,
): ReadText {
  if (reading === undefined) return {};
  if (unread) return { error: new Error('its columns cannot be stored') };
  const { tender, error } = reading;
  if (tender === undefined) return { error };
  try {
    const parsed = before && (tender.parsed ?? readOrUndefined(text));
    return { tender, changed: before && parsed && changedMembers(before, parsed) };
  } catch (failure) {
    return { error: failure };
  }
}

function readOrUndefined(text: string | undefined): JsonObject | undefined {
  try {
    return text === undefined ? undefined : parsePublicTender(text);
  } catch {
    return undefined;
  }
}

function buildFlags(
  { baseline }: PublicationSource,
  { isUnread, isFolded }: { readonly isUnread: boolean; readonly isFolded: boolean },
): number {
  return (
    (baseline ? REVISION_FLAGS.baseline : 0) |
    (isFolded ? REVISION_FLAGS.folded : 0) |
    (isUnread ? REVISION_FLAGS.unread : 0)
  );
}

/** Position of the first listed revision; of a baseline the start of enquiries if that is earlier (register.md 3.3). */
function createdAt({ position }: Publication, tender: ReadTender | undefined, { baseline }: PublicationSource): number {
  return Math.min(position, (baseline ? tender?.enquiryStart : undefined) ?? position);
}
