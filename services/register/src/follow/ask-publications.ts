import {
  PageHead,
  PublicationRow,
  type ListingQuestion,
  type PublicationsQuestion,
} from '@procurement/contracts/events/publications';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { PUBLICATION_CAUSES } from '@procurement/contracts/resources/causes';
import type { Bus } from '@procurement/kit/messaging/bus';
import { askLines } from '@procurement/kit/messaging/request/request-lines';
import type { Publication } from '../revisions/domain/publication.ts';

/** An answer of the owner. Positions are numbers here. */
export interface OwnerPage {
  readonly epoch: number;
  readonly epochs: readonly { readonly epoch: number; readonly restoredTo: number; readonly began: number }[];
  readonly oldest: number | undefined;
  readonly head: number;
  readonly horizon: number | undefined;
  readonly publications: readonly Publication[];
}

/** What a page may have; at least one row comes, however large it is. */
export interface PageSize {
  readonly rowsMax: number;
  readonly bytesMax: number;
}

/** One page is one transaction here. */
export const PAGE: PageSize = { rowsMax: 500, bytesMax: 4_000_000 };

/** How the owner is asked. */
export interface AskedOwner {
  readonly bus: Bus;
  readonly page: PageSize;
}

/** Asks for the publications after a position. Undefined: no answer now. Throws when the answer cannot be read. */
export async function askPublications(
  { bus, page }: AskedOwner,
  { after, epoch, horizon }: { readonly after: number; readonly epoch: number; readonly horizon: boolean },
): Promise<OwnerPage | undefined> {
  const question: PublicationsQuestion = { after: String(after), epoch, horizon, texts: true, ...page };
  return readPage(bus, await askLines(bus, rpcSubjects.tenderPublications, question));
}

/** Asks for the newest views with positions in a range, `after` exclusive. Undefined and throws likewise. */
export async function askListing(
  { bus, page }: AskedOwner,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<OwnerPage | undefined> {
  const question: ListingQuestion = { after: String(after), upTo: String(upTo), texts: true, ...page };
  return readPage(bus, await askLines(bus, rpcSubjects.tenderListing, question));
}

async function readPage(bus: Bus, lines: readonly string[] | undefined): Promise<OwnerPage | undefined> {
  if (lines === undefined) return undefined;
  const head = PageHead.parse(JSON.parse(lines[0] ?? ''));
  const publications: Publication[] = [];
  let next = 1;
  while (publications.length < head.rows) {
    const row = PublicationRow.parse(JSON.parse(lines[next] ?? ''));
    const isInline = row.listed && row.parts === undefined;
    const text = isInline ? lines[next + 1] : await partsOf(bus, row);
    if (row.listed && (text === undefined || Buffer.byteLength(text) !== row.bytes)) return undefined;
    publications.push(publicationOf(row, text));
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

/** The text of a publication that is larger than a line. Undefined when a part is missing, or there is no text. */
async function partsOf(bus: Bus, { position, parts = 0 }: PublicationRow): Promise<string | undefined> {
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

function publicationOf(row: PublicationRow, text: string | undefined): Publication {
  return {
    position: Number(row.position),
    previous: row.previous === undefined ? undefined : Number(row.previous),
    id: row.id,
    rev: row.rev,
    ...(row.first === true ? { isFirst: true } : {}),
    listed: row.listed,
    isTest: row.test,
    causes: causeBits(row.causes),
    text,
  };
}

/** The bits of the names. Causes of a later release are left out. */
function causeBits(names: readonly string[]): bigint {
  let bits = 0n;
  PUBLICATION_CAUSES.forEach((cause, bit) => {
    if (names.includes(cause)) bits |= 1n << BigInt(bit);
  });
  return bits;
}
