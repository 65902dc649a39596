const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

export type LogLevel = 'info' | 'warn';

interface LogEntry {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** Splits output into lines and calls `print` with the readable form of each line that `readableLine` shows. */
export function printLog(service: string, level: LogLevel, print: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  const decoder = new TextDecoder();
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const readable = readableLine(service, level, line);
      if (readable !== undefined) print(readable);
    }
  };
}

/**
 * A line of a service's log for the terminal: time, service, level, message, other members, and the stack of an error. Text that is
 * not a log entry, such as a syntax error, stays as it is. Undefined for an entry below `level` and for an empty line.
 */
export function readableLine(service: string, level: LogLevel, line: string): string | undefined {
  const entry = parseEntry(line);
  if (entry === undefined) return line.trim() === '' ? undefined : line;
  if (LEVELS.indexOf(entry.level) < LEVELS.indexOf(level)) return undefined;
  const { level: entryLevel, time, service: _service, msg, err, ...members } = entry as LogEntry & { service?: string };
  const details = Object.keys(members).length === 0 ? '' : ` ${JSON.stringify(members)}`;
  const stack = err === undefined ? '' : `\n${err.stack ?? err.message ?? ''}`;
  return `${time.slice(11, 19)} ${service} ${entryLevel} ${msg ?? ''}${details}${stack}`;
}

function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    // What pino writes has both.
    return typeof entry === 'object' && entry !== null && 'level' in entry && 'time' in entry
      ? (entry as LogEntry)
      : undefined;
  } catch {
    return undefined;
  }
}
