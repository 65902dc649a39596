import type { Bus } from '@procurement/kit/messaging/bus';
import type { AskedOwner, PageSize, PublishedRow } from '@procurement/kit/messaging/request/publication-pages';
import { causeBits } from '@procurement/contracts/resources/causes';
import type { Publication } from '../revisions/domain/publication.ts';

/** One page is one transaction here. */
const PAGE: PageSize = { rowsMax: 500, bytesMax: 4_000_000 };

/** Asks for pages with texts, of the size of one transaction unless a test sets another. */
export function askedOwner(bus: Bus, page: PageSize = PAGE): AskedOwner {
  return { bus, page, texts: true };
}

/** A row of the owner as it is applied here. */
export function readPublication({ causes, bytes: _bytes, ...row }: PublishedRow): Publication {
  return { ...row, causes: causeBits(causes) };
}
