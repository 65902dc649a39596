/**
 * Splits bytes into parts of `partBytes`, the last one shorter. Fills two buffers in turn, so a part is valid only until the
 * part after the next is requested.
 */
export async function* splitIntoParts(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer, void> {
  const buffers: Buffer[] = [];
  let active = 0;
  let filled = 0;
  const current = (): Buffer => (buffers[active] ??= Buffer.allocUnsafeSlow(partBytes));
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(current(), filled, at);
      at += copied;
      filled += copied;
      if (filled < partBytes) continue;
      yield current();
      active = 1 - active;
      filled = 0;
    }
  }
  if (filled > 0) yield current().subarray(0, filled);
}
