import { startSpan, type TraceContext } from './trace-context.ts';

/** What a span is about. Names and attributes contain no data of requests except ids. */
export interface SpanStart {
  /** `server`: a request that arrived; `client`: one that was sent; `producer`, `consumer`: an event. */
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  readonly name: string;
  readonly parent: TraceContext | undefined;
  /** The parent was sent by a client of the API: whether the trace is recorded is not for it to say. */
  readonly isFromClient?: boolean;
  readonly attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface OpenSpan {
  /** What is passed on to whatever this work causes. */
  readonly context: TraceContext;
  /** Must be called once. */
  end(outcome?: { readonly attributes?: SpanAttributes; readonly failed?: boolean }): void;
}

/** Records spans, and exports them. `otel.ts` has one. */
export interface SpanRecorder {
  open(start: SpanStart): OpenSpan;
  /** Runs `work`; statements that it sends to the database are spans below `context`. */
  within<T>(context: TraceContext, work: () => T): T;
  /** A span below the context of the running work; undefined when there is none, or it is not recorded. */
  openBelow(start: Omit<SpanStart, 'parent'>): OpenSpan | undefined;
}

// Of the process, like the provider of @opentelemetry/api: spans begin where no dependency of this kind arrives, such as in pg.
let recorder: SpanRecorder | undefined;

/** Records the spans of this process from now on, or no longer. Call it before servers, pools and consumers are made. */
export function recordSpansWith(next: SpanRecorder | undefined): void {
  recorder = next;
}

export function isRecording(): boolean {
  return recorder !== undefined;
}

/** Begins a span: an id below that of the parent, which is recorded when tracing is on (decision 0047). */
export function openSpan(start: SpanStart): OpenSpan {
  return recorder?.open(start) ?? unrecorded(startSpan(start.parent));
}

export function openSpanBelow(start: Omit<SpanStart, 'parent'>): OpenSpan | undefined {
  return recorder?.openBelow(start);
}

/** A span that only passes the trace on. */
export function unrecorded(context: TraceContext): OpenSpan {
  return { context, end: () => undefined };
}

/** Runs `work`, with its statements below `context`. */
export function withinSpan<T>(context: TraceContext, work: () => T): T {
  return recorder === undefined ? work() : recorder.within(context, work);
}
