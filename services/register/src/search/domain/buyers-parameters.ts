import { FILTER_PARAMETERS } from '../../requests/domain/filters.ts';
import { isLongerThan, naming, position, type Reader } from '../../requests/domain/parameters.ts';
import { foldText } from '../../revisions/domain/words.ts';

const QUERY_CHARACTERS_MAX = 256;
const LETTERS_MIN = 3;

/** Reads a name in the form in which names of buyers are stored. Fewer letters have no trigrams. */
const name: Reader<string> = naming(
  [`${LETTERS_MIN} letters or more, up to ${QUERY_CHARACTERS_MAX} characters`],
  (text) => {
    const folded = foldText(text).replaceAll(/\s+/g, ' ').trim();
    const letters = folded.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return isLongerThan(text, QUERY_CHARACTERS_MAX) || letters < LETTERS_MIN || folded.includes('\0')
      ? undefined
      : folded;
  },
);

/** The parameters of `GET /search/buyers` (register.md 6.2). */
export const BUYERS_PARAMETERS = { q: name, mode: FILTER_PARAMETERS.mode, at_least: position } as const;

export interface BuyersQuestion {
  /** Beginning of a word of the name or of the id, or a text like the name. */
  readonly folded: string;
  readonly mode: 'test' | '_all_' | undefined;
}
