/** The ETag of a public revision on segment 2.5 (http.md 5.4). The gateway replaces the suffix on other segments. */
export function etagOf(rev: bigint): string {
  return `"${rev}-2.5"`;
}

/** The revision in `If-Match` or `If-None-Match`, of any segment; `undefined` when the header is not one of our ETags. */
export function revOf(header: string | undefined): bigint | undefined {
  const match = /^\s*(?:W\/)?"(\d{1,18})-[\d.]+"\s*$/.exec(header ?? '');
  return match?.[1] === undefined ? undefined : BigInt(match[1]);
}
