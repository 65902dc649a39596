/** Replaces what is found in bytes wherever `replaces` says so. The same bytes where nothing is replaced. */
export function replaceBytes(
  bytes: Buffer,
  found: Buffer,
  replacement: string,
  replaces: (at: number) => boolean = () => true,
): Buffer {
  const parts: Buffer[] = [];
  let by: Buffer | undefined;
  let end = 0;
  for (let at = bytes.indexOf(found); at >= 0; at = bytes.indexOf(found, at + found.length)) {
    if (!replaces(at)) continue;
    parts.push(bytes.subarray(end, at), (by ??= Buffer.from(replacement)));
    end = at + found.length;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(end)]);
}
