/** The tag of a public revision, as segment 2.5 shows it (http.md 5.4). Codecs of other segments replace the ending. */
export function etagOf(rev: bigint): string {
  return `"${rev}-2.5"`;
}

/** The revision that a condition header names, whatever the segment; undefined when it names none of ours. */
export function revOf(header: string | undefined): bigint | undefined {
  const match = /^\s*(?:W\/)?"(\d{1,18})-[\d.]+"\s*$/.exec(header ?? '');
  return match?.[1] === undefined ? undefined : BigInt(match[1]);
}
