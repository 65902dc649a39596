import type pg from 'pg';
import { readTexts, type TextReadings } from '../store/read-texts.ts';
import { askListing, type AskedOwner, type OwnerPage } from './ask-publications.ts';

/** After a position, exclusive, up to another. */
export interface ListedRange {
  readonly after: number;
  readonly upTo: number;
}

export interface ListedPage extends OwnerPage {
  readonly readings: TextReadings;
}

/** The owner's listing, of which one page is asked for and read ahead of its turn: at most 4 MB, or one tender. */
export interface Listing {
  /** Undefined: no answer now. Throws when the answer cannot be read. */
  page(range: ListedRange): Promise<ListedPage | undefined>;
  /** Asks for the page that is probably wanted next. */
  askAhead(range: ListedRange): void;
  /** What was asked for ahead is not used. */
  forget(): void;
}

export function makeListing(owner: AskedOwner, pool: pg.Pool): Listing {
  let ahead: (ListedRange & { readonly answer: Promise<ListedPage | undefined> }) | undefined;

  async function ask(range: ListedRange): Promise<ListedPage | undefined> {
    const page = await askListing(owner, range);
    return page && { ...page, readings: await readTexts(pool, page.publications, { keepsParsed: false }) };
  }

  return {
    async page(range) {
      const asked = ahead?.after === range.after && ahead.upTo === range.upTo ? ahead.answer : undefined;
      ahead = undefined;
      return asked ?? ask(range);
    },
    askAhead(range) {
      const answer = ask(range);
      // Its error is thrown by `page`; nobody may ask for the page.
      answer.catch(() => undefined);
      ahead = { ...range, answer };
    },
    forget() {
      ahead = undefined;
    },
  };
}
