import type { Instant } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { TextTerms } from '../../search/domain/search-terms.ts';
import {
  parsePublicTender,
  startOfEnquiries,
  tenderColumns,
  type TenderColumns,
} from '../../revisions/domain/tender-columns.ts';
import type { ContributionSource } from '../../statistics/domain/contribution.ts';

/** What search and statistics store of a text. */
export interface DerivedText extends TextTerms {
  readonly contribution: ContributionSource;
}

/** The text of a publication, read once for everything that is stored of it. */
export interface TextReading {
  /** Bytes of the text in UTF-8. */
  readonly bytes: number;
  /** First 16 bytes of its SHA-256, in hex. */
  readonly digest: string;
  /** Undefined when it cannot be read. */
  readonly tender: ReadTender | undefined;
  readonly error?: unknown;
}

export interface ReadTender {
  readonly columns: TenderColumns;
  readonly enquiryStart: Instant | undefined;
  /** Undefined when a newer text of the tender is read with it. */
  readonly derived: DerivedText | undefined;
  /** The parsed text. Absent when it was read ahead of its turn: a page of them occupies ten times the memory of their texts. */
  readonly parsed?: JsonObject;
}

/** Throws when the text is no public tender. */
export function parseText(text: string): Omit<ReadTender, 'derived'> & { readonly parsed: JsonObject } {
  const parsed = parsePublicTender(text);
  return { parsed, columns: tenderColumns(parsed), enquiryStart: startOfEnquiries(parsed) };
}
