import { rememberShort } from '@procurement/contracts/reading/remember-short';

// Conjunctions and prepositions, which every title has: Ukrainian, then English.
const STOP_WORDS: ReadonlySet<string> = new Set(
  'і й та або чи а але в у на з зі із до для по за від при про що як не це the a an of and or for to in on by with'.split(
    ' ',
  ),
);
const REFLEXIVE_ENDINGS = ['ся', 'сь'];
const ENDINGS: readonly string[] = (
  'ення енню енням еннях еннями ень ання анню анням аннях аннями ань яння янню янням іння інню інням ' +
  'ості істю ость остей остям остями остях ' +
  'ого ому ої ою ій ий им ім их ими іми ого ього ьому єю ею ію ія ії ією іям іями іях їй ' +
  'ами ями ам ям ах ях ом ем єм ів їв ей а я и і ї у ю о е є й'
)
  .split(' ')
  .sort((one, other) => other.length - one.length);
/** Plurals whose stem the table of endings does not give. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['закупівель', 'закупівля'],
  ['лікарень', 'лікарня'],
  ['їдалень', 'їдальня'],
]);
const CYRILLIC_LOOKALIKES = 'авекмнорстхі';
const LATIN_LOOKALIKES = 'abekmhopctxi';
const APOSTROPHE = /['’ʼ`′´‘]/;
const CYRILLIC_LOOKALIKE = new RegExp(`[${CYRILLIC_LOOKALIKES}]`, 'g');

const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu;
const CYRILLIC_WORD = /^[\u0400-\u04ff]+$/;
const TENDER_NUMBER = /^ua-\d{4}-\d{2}-\d{2}-\d{6}(-[a-z0-9]+)*$/;
const CPV_CODE = /^\d{8}-\d$/;
const VOWEL = /[аеєиіїоуюя]/;
const DOUBLED_CONSONANT = /([бвгджзйклмнпрстфхцчшщ])\1$/;
const ALTERNATING_VOWEL = /[іїоеє][^аеєиіїоуюя]*$/;
const WORD_CHARACTERS_MAX = 64;
const STEM_CHARACTERS_MIN = 3;

/** The terms of one place of a text: a word, and `~` with its stem (register.md 6.3). */
export type Terms = readonly string[];

/** The form in which texts are compared: NFC, lower case, no apostrophes inside words, `ґ` as `г`. */
export function foldText(text: string): string {
  const lower = text.normalize('NFC').toLowerCase().replaceAll('ґ', 'г');
  // Few texts have one, and a look behind each of its characters takes time.
  return APOSTROPHE.test(lower) ? lower.replace(/(?<=\p{L})['’ʼ`′´‘](?=\p{L})/gu, '') : lower;
}

/** The terms of a text, place by place. Indexed texts and queries use the same function: a change of it needs `reindex`. */
export function parseTerms(text: string): readonly Terms[] {
  return (foldText(text).match(WORD) ?? []).flatMap(readCompound);
}

// Most words of a text were in texts before: their terms are made once.
const readCompound = rememberShort(
  (compound): readonly Terms[] => splitCompound(compound).map((words) => words.flatMap(withStem)),
  { textsMax: 10_000, charactersMax: 40 },
);

/** The words of a compound; both forms of a CPV code share a place. */
function splitCompound(compound: string): readonly Terms[] {
  if (TENDER_NUMBER.test(compound)) return [[compound]];
  return CPV_CODE.test(compound) ? [[compound, compound.slice(0, 8)]] : splitParts(compound);
}

function splitParts(compound: string): readonly Terms[] {
  return compound
    .split(/[-./]/)
    .filter((part) => !STOP_WORDS.has(part))
    .map((part) => [inLatinIfCode(part).slice(0, WORD_CHARACTERS_MAX)]);
}

/** `а4` typed with a Cyrillic `а` becomes `a4`: letters of a word with a digit are written in Latin where they look alike. */
function inLatinIfCode(word: string): string {
  if (!/\d/.test(word)) return word;
  return word.replaceAll(
    CYRILLIC_LOOKALIKE,
    (letter) => LATIN_LOOKALIKES[CYRILLIC_LOOKALIKES.indexOf(letter)] ?? letter,
  );
}

function withStem(word: string): Terms {
  const stem = stemOf(word);
  return stem === undefined ? [word] : [word, `~${stem}`];
}

/**
 * What the forms of a Ukrainian word have in common; undefined for other words. One ending is cut, and the vowel of the last
 * syllable, which alternates (стіл and столу, папір and паперу), becomes `*`.
 */
function stemOf(word: string): string | undefined {
  if (word.length < STEM_CHARACTERS_MIN || !CYRILLIC_WORD.test(word)) return undefined;
  const rest = withoutEnding(withoutEnding(IRREGULAR.get(word) ?? word, REFLEXIVE_ENDINGS), ENDINGS)
    .replace(/ь$/, '')
    .replace(DOUBLED_CONSONANT, '$1');
  const vowelAt = rest.search(ALTERNATING_VOWEL);
  return vowelAt < 0 ? rest : `${rest.slice(0, vowelAt)}*${rest.slice(vowelAt + 1)}`;
}

/** Cuts the longest ending after which at least three letters with a vowel remain. */
function withoutEnding(word: string, endings: readonly string[]): string {
  const found = endings.find((ending) => word.endsWith(ending) && isStem(word.slice(0, -ending.length)));
  return found === undefined ? word : word.slice(0, -found.length);
}

function isStem(text: string): boolean {
  return text.length >= STEM_CHARACTERS_MIN && VOWEL.test(text);
}
