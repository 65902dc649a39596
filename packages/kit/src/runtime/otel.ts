import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import {
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { monotonicMs } from './clock.ts';
import type { Logger } from './log.ts';
import type { OpenSpan, SpanRecorder, SpanStart } from './spans.ts';
import type { TraceContext } from './trace-context.ts';

export interface TracingOptions {
  readonly service: string;
  /** Base address of an OTLP receiver over HTTP. */
  readonly endpoint: string;
  /** Share of the traces that begin here, or with a client, which are recorded: 0 to 1. */
  readonly ratio: number;
  readonly log: Logger;
  /** Longest export of a batch, and longest wait of `stop`. Default 2,000. */
  readonly exportMsMax?: number;
}

/** A recorder that exports its spans in batches, in the background. While the receiver is away they are dropped. */
export interface Tracing extends SpanRecorder {
  /** Exports what is left, for at most `exportMsMax`. */
  stop(): Promise<void>;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** Spans that wait for the exporter: about 2 MB. What comes above is dropped. */
const QUEUE_SPANS_MAX = 4_096;
const WARN_EVERY_MS = 60_000;
const PARTS = 1_000_000;

/**
 * Starts tracing with OpenTelemetry. The only file that imports its SDK: `run-service.ts` imports it when tracing is on
 * (decision 0047).
 */
export function startTracing({ service, endpoint, ratio, log, exportMsMax = 2_000 }: TracingOptions): Tracing {
  warnOfFailedExports(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportMsMax,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'procurement' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: QUEUE_SPANS_MAX, exportTimeoutMillis: exportMsMax }),
    ],
  });
  const tracer = provider.getTracer('procurement');
  const running = new AsyncLocalStorage<TraceContext>();

  function open({ kind, name, parent, isFromClient = false, attributes = {} }: SpanStart): OpenSpan {
    const isSampled = isFromClient ? randomInt(PARTS) < ratio * PARTS : parent?.sampled === true;
    const parentContext =
      parent === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            // What a process sends stands below its own span, also a statement.
            isRemote: kind !== 'client',
            ...(parent.state === undefined ? {} : { traceState: createTraceState(parent.state) }),
          });
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parentContext);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      context: {
        traceId,
        spanId,
        sampled: (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED,
        ...(parent?.state === undefined ? {} : { state: parent.state }),
      },
      end: (outcome = {}) => {
        span.setAttributes({ ...outcome.attributes });
        if (outcome.failed === true) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    open,
    within: (context, work) => running.run(context, work),
    openBelow: (start) => {
      const parent = running.getStore();
      return parent?.sampled === true ? open({ ...start, parent }) : undefined;
    },
    stop: async () => {
      const giveUp = new Promise<void>((resolve) => setTimeout(resolve, exportMsMax).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), giveUp]);
    },
  };
}

/** One line a minute: a receiver that is away fails every batch. */
function warnOfFailedExports(log: Logger): void {
  let nextAtMs = 0;
  const warn = (message: string): void => {
    if (monotonicMs() < nextAtMs) return;
    nextAtMs = monotonicMs() + WARN_EVERY_MS;
    log.warn({ reason: message.slice(0, 500) }, 'spans not exported');
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
