/** One event of a stream, or a heartbeat, which has no data. */
export interface ServerSentEvent {
  /** `message` without a name. */
  readonly name: string;
  readonly id?: string;
  readonly data?: string;
  /** How long to wait before the next connection. */
  readonly retryMs?: number;
}

/** Gives the events that each part of a stream completes. */
export function makeEventReader(): (part: string) => readonly ServerSentEvent[] {
  let rest = '';
  return (part) => {
    const blocks = `${rest}${part}`.split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseEvent);
  };
}

function parseEvent(block: string): ServerSentEvent {
  const values = (field: string): readonly string[] =>
    block
      .split('\n')
      .flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).trimStart()] : []));
  const [id] = values('id');
  const data = values('data');
  const [retry = ''] = values('retry');
  return {
    name: values('event')[0] ?? 'message',
    ...(id === undefined ? {} : { id }),
    ...(data.length === 0 ? {} : { data: data.join('\n') }),
    ...(/^\d{1,6}$/.test(retry) ? { retryMs: Number(retry) } : {}),
  };
}
