import { CensusQuestion, ListingQuestion, PublicationsQuestion } from '@procurement/contracts/events/publications';
import type { PublicationPages } from '../store/publication-pages.ts';

type RespondLines = (question: unknown) => Promise<readonly string[]>;

/** Responds with the publications after a position, or with a part of a large text. No lines: there is no such text. */
export function respondPublications(pages: PublicationPages): RespondLines {
  return async (question) => {
    const parsed = PublicationsQuestion.parse(question);
    if (!('part' in parsed)) return pages.publications(parsed);
    const part = await pages.part(parsed.position, parsed.part);
    if (part === undefined) throw new Error(`no text of publication ${parsed.position}`);
    return [part];
  };
}

/** Responds with the newest views, for the back-fill of the register. */
export function respondListing(pages: PublicationPages): RespondLines {
  return async (question) => pages.listing(ListingQuestion.parse(question));
}

/** Responds with the census of a range, for the verification of the register. */
export function respondCensus(pages: PublicationPages): (question: unknown) => Promise<unknown> {
  return async (question) => {
    const { from, to } = CensusQuestion.parse(question);
    return pages.census(from, to);
  };
}
