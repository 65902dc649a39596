import type { TraceContext } from './trace-context.ts';

/** What a process works on: a request by its id, or an event by the id of its request and by its own subject. */
export interface TraceKey {
  readonly correlationId: string;
  readonly subject?: string;
}

/**
 * The trace contexts of what this process works on now. A store that makes an event has the id of the request that caused it,
 * because the event carries it; the context is found by that id and needs no parameter of its own
 * (docs/decisions/0047-traces.md).
 */
export interface ActiveTraces {
  /** Adds the context of a request or an event until `end` is called. */
  enter(key: TraceKey, context: TraceContext): { end(): void };
  /** The context of the event with this request and subject that is being applied, else of the request. */
  find(correlationId: string, subject?: string): TraceContext | undefined;
  /** Whether a request with this id is being handled here, and no event of this subject that it caused is being applied. */
  isRequest(correlationId: string, subject: string): boolean;
}

export function makeActiveTraces(): ActiveTraces {
  // A list, because two durables may apply one event at the same time; the latest counts.
  const contexts = new Map<string, TraceContext[]>();
  return {
    enter(key, context) {
      const text = formatKey(key);
      const active = contexts.get(text);
      if (active === undefined) contexts.set(text, [context]);
      else active.push(context);
      return {
        end() {
          const rest = (contexts.get(text) ?? []).filter((other) => other !== context);
          if (rest.length === 0) contexts.delete(text);
          else contexts.set(text, rest);
        },
      };
    },
    find(correlationId, subject) {
      const active =
        (subject === undefined ? undefined : contexts.get(formatKey({ correlationId, subject }))) ??
        contexts.get(formatKey({ correlationId }));
      return active?.at(-1);
    },
    isRequest: (correlationId, subject) =>
      contexts.has(formatKey({ correlationId })) && !contexts.has(formatKey({ correlationId, subject })),
  };
}

/** Request ids contain no line break, so a request and an event never share a key. */
function formatKey({ correlationId, subject }: TraceKey): string {
  return subject === undefined ? correlationId : `${correlationId}\n${subject}`;
}
