import {
  PageHead,
  PublicationRow,
  type ListingQuestion,
  type PublicationsQuestion,
} from '@procurement/contracts/events/publications';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '../bus.ts';
import { askLines } from './request-lines.ts';

/** A row of the owner's log, or of its listing. Positions are microseconds since 1970 UTC. */
export interface PublishedRow {
  readonly position: number;
  /** The publication before; undefined in a listing. */
  readonly previous: number | undefined;
  readonly id: string;
  readonly rev: number;
  /** The first of its object that is listed. */
  readonly isFirst?: true;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly causes: readonly string[];
  /** Length of the text; 0 when it is not listed. */
  readonly bytes: number;
  /** The text as published; undefined when it is not listed, or texts were not asked for. */
  readonly text: string | undefined;
  /** SHA-256 of the text in hex; in every listed row when texts were not asked for. */
  readonly sha256?: string;
  /** The number among all listed publications; beside `sha256`, but for a listing. */
  readonly number?: number;
}

/** An answer of the owner. */
export interface OwnerPage<Row = PublishedRow> {
  readonly epoch: number;
  readonly epochs: readonly { readonly epoch: number; readonly restoredTo: number; readonly began: number }[];
  readonly oldest: number | undefined;
  readonly head: number;
  readonly horizon: number | undefined;
  readonly publications: readonly Row[];
}

/** What a page may have. With texts at least one row comes, however large it is; `bytesMax` counts texts only. */
export interface PageSize {
  readonly rowsMax: number;
  readonly bytesMax: number;
}

/** How the owner is asked. */
export interface AskedOwner {
  readonly bus: Bus;
  readonly page: PageSize;
  /** False: for digests instead of texts. */
  readonly texts: boolean;
}

/** The owner has sent a page that must not be applied: the reader reports it and asks again. */
export class UnusablePageError extends Error {}

/**
 * Asks for the publications after a position. Undefined: no answer now. Throws when the answer cannot be read, its rows are not in order,
 * or a digest that was asked for is missing: an owner of an earlier release sends none.
 */
export async function askPublications(
  { bus, page, texts }: AskedOwner,
  { after, epoch, horizon }: { readonly after: number; readonly epoch: number; readonly horizon: boolean },
): Promise<OwnerPage | undefined> {
  const question: PublicationsQuestion = { after: String(after), epoch, horizon, texts, ...page };
  const lines = await askLines(bus, rpcSubjects.tenderPublications, question);
  return readPage(bus, lines, { after, texts, numbered: true });
}

/** Asks for the newest views with positions in a range, `after` exclusive. Undefined and throws likewise. */
export async function askListing(
  { bus, page, texts }: AskedOwner,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<OwnerPage | undefined> {
  const question: ListingQuestion = { after: String(after), upTo: String(upTo), texts, ...page };
  const lines = await askLines(bus, rpcSubjects.tenderListing, question);
  return readPage(bus, lines, { after, texts, numbered: false });
}

interface Asked {
  readonly after: number;
  readonly texts: boolean;
  /** Rows without texts have numbers. */
  readonly numbered: boolean;
}

async function readPage(bus: Bus, lines: readonly string[] | undefined, asked: Asked): Promise<OwnerPage | undefined> {
  if (lines === undefined) return undefined;
  const head = PageHead.parse(JSON.parse(lines[0] ?? ''));
  const publications: PublishedRow[] = [];
  let next = 1;
  let reached = asked.after;
  while (publications.length < head.rows) {
    const row = PublicationRow.parse(JSON.parse(lines[next] ?? ''));
    const position = Number(row.position);
    if (position <= reached) throw new UnusablePageError(`publication ${position} comes after ${reached}`);
    if (!asked.texts) requireDigest(row, asked.numbered);
    const isInline = asked.texts && row.listed && row.parts === undefined;
    const inParts = asked.texts ? row.parts : undefined;
    const text = isInline ? lines[next + 1] : await askTextInParts(bus, row.position, inParts);
    const isWhole = text !== undefined && Buffer.byteLength(text) === row.bytes;
    if (asked.texts && row.listed && !isWhole) return undefined;
    publications.push(publishedRow(row, text));
    reached = position;
    next += isInline ? 2 : 1;
  }
  return {
    epoch: head.epoch,
    epochs: head.epochs.map(({ epoch, restoredTo, began }) => ({
      epoch,
      restoredTo: Number(restoredTo),
      began: Number(began),
    })),
    oldest: head.oldest === null ? undefined : Number(head.oldest),
    head: Number(head.head),
    horizon: head.horizon === null ? undefined : Number(head.horizon),
    publications,
  };
}

function requireDigest({ position, listed, sha256, number }: PublicationRow, numbered: boolean): void {
  if (!listed || (sha256 !== undefined && (!numbered || number !== undefined))) return;
  throw new UnusablePageError(`publication ${position} has no ${sha256 === undefined ? 'digest' : 'number'}`);
}

/** The text of a publication that is larger than a line. Undefined when a part is missing, or there is no text. */
async function askTextInParts(bus: Bus, position: string, parts = 0): Promise<string | undefined> {
  if (parts === 0) return undefined;
  const slices: Buffer[] = [];
  for (let part = 0; part < parts; part += 1) {
    const question: PublicationsQuestion = { position, part };
    const lines = await askLines(bus, rpcSubjects.tenderPublications, question);
    if (lines?.[0] === undefined) return undefined;
    slices.push(Buffer.from(lines[0], 'base64'));
  }
  return Buffer.concat(slices).toString();
}

function publishedRow(row: PublicationRow, text: string | undefined): PublishedRow {
  return {
    position: Number(row.position),
    previous: row.previous === undefined ? undefined : Number(row.previous),
    id: row.id,
    rev: row.rev,
    ...(row.first === true ? { isFirst: true } : {}),
    listed: row.listed,
    isTest: row.test,
    causes: row.causes,
    bytes: row.bytes,
    text,
    ...(row.sha256 === undefined ? {} : { sha256: row.sha256 }),
    ...(row.number === undefined ? {} : { number: row.number }),
  };
}
