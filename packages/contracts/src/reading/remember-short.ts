export interface Remembered {
  /** All are forgotten when there are more. */
  readonly textsMax: number;
  /** Longer texts are converted each time. */
  readonly charactersMax: number;
}

/** A pure function of a text that remembers what it gave for short texts. */
export function rememberShort<T>(
  convert: (text: string) => T,
  { textsMax, charactersMax }: Remembered,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > charactersMax) return convert(text);
    const remembered = known.get(text);
    if (remembered !== undefined || known.has(text)) return remembered as T; // Safe cast: it has the text.
    // A copy: V8 keeps the whole text in memory for a part of it. Safe cast: the text of a text.
    const copy = JSON.parse(JSON.stringify(text)) as string;
    const result = convert(copy);
    if (known.size >= textsMax) known.clear();
    known.set(copy, result);
    return result;
  };
}
