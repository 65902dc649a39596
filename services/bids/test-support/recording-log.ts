import { makeLog, type Logger } from '@procurement/kit/runtime/log';

/** The production logger at every level; its lines are kept instead of written. */
export function recordingLog(): { readonly log: Logger; readonly lines: string[] } {
  const log = makeLog('bids', 'trace');
  const lines: string[] = [];
  const stream = Object.getOwnPropertySymbols(log).find((symbol) => symbol.description === 'pino.stream');
  if (stream === undefined) throw new Error('the pino logger has no stream symbol');
  // Pino keeps its destination under this symbol; child loggers take it from their parent.
  (log as unknown as Record<symbol, unknown>)[stream] = { write: (line: string) => lines.push(line) };
  return { log, lines };
}
