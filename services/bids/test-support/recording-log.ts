import { makeLog, type Logger } from '@procurement/kit/runtime/log';

/** The log of production, every level of it, kept as lines instead of written. */
export function recordingLog(): { readonly log: Logger; readonly lines: string[] } {
  const log = makeLog('bids', 'trace');
  const lines: string[] = [];
  const stream = Object.getOwnPropertySymbols(log).find((symbol) => symbol.description === 'pino.stream');
  if (stream === undefined) throw new Error('a logger of pino has a stream');
  // Where pino keeps its destination; children take it from their parent.
  (log as unknown as Record<symbol, unknown>)[stream] = { write: (line: string) => lines.push(line) };
  return { log, lines };
}
