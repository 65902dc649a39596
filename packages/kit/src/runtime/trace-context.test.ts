import { describe, expect, it } from 'vitest';
import { parseTraceContext, startSpan, traceMembers } from './trace-context.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
// The example of the specification, section 3.2.4.
const EXAMPLE = `00-${TRACE_ID}-${SPAN_ID}-01`;

describe('parseTraceContext', () => {
  it.each([
    ['a sampled trace', EXAMPLE, true],
    ['a trace that is not sampled', `00-${TRACE_ID}-${SPAN_ID}-00`, false],
    ['flags that version 00 does not define', `00-${TRACE_ID}-${SPAN_ID}-ff`, true],
    ['a later version with the members of 00', `cc-${TRACE_ID}-${SPAN_ID}-01`, true],
    ['a later version with more members', `cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-will-be-like`, true],
  ])('reads %s', (_case, traceparent, sampled) => {
    expect(parseTraceContext({ traceparent })).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, sampled });
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a list of headers', [EXAMPLE]],
    ['two headers joined', `${EXAMPLE}, ${EXAMPLE}`],
    ['version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['version 00 with more members', `${EXAMPLE}-extra`],
    ['a later version with text after its flags', `cc-${TRACE_ID}-${SPAN_ID}-01.what`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a parent id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['upper-case digits', EXAMPLE.toUpperCase()],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['a long parent id', `00-${TRACE_ID}-${SPAN_ID}0-01`],
    ['no flags', `00-${TRACE_ID}-${SPAN_ID}`],
    ['surrounding blanks', ` ${EXAMPLE} `],
  ])('refuses %s', (_case, traceparent) => {
    expect(parseTraceContext({ traceparent })).toBeUndefined();
  });

  it.each([
    ['keeps a tracestate', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', true],
    ['keeps one of 512 characters', `a=${'x'.repeat(510)}`, true],
    ['drops a longer one', `a=${'x'.repeat(511)}`, false],
    ['drops an empty one', '', false],
    ['drops one with control characters', 'a=\u0000', false],
  ])('%s', (_case, tracestate, isKept) => {
    expect(parseTraceContext({ traceparent: EXAMPLE, tracestate })?.state).toBe(isKept ? tracestate : undefined);
  });
});

describe('startSpan', () => {
  it('keeps trace, sampling and state of the parent, under a new span id', () => {
    const parent = parseTraceContext({ traceparent: EXAMPLE, tracestate: 'rojo=1' });
    const span = startSpan(parent);
    expect(span).toEqual({ ...parent, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(span.spanId).not.toBe(SPAN_ID);
  });

  it('begins a new trace without a parent', () => {
    const [first, second] = [startSpan(undefined), startSpan(undefined)];
    expect(first.traceId).not.toBe(second.traceId);
    expect(parseTraceContext(traceMembers(first))).toEqual(first);
  });
});

describe('traceMembers', () => {
  it('passes a context on as version 00', () => {
    const later = parseTraceContext({ traceparent: `cc-${TRACE_ID}-${SPAN_ID}-01-x`, tracestate: 'rojo=1' });
    expect(later && traceMembers(later)).toEqual({ traceparent: EXAMPLE, tracestate: 'rojo=1' });
    expect(traceMembers({ traceId: TRACE_ID, spanId: SPAN_ID, sampled: false })).toEqual({
      traceparent: `00-${TRACE_ID}-${SPAN_ID}-00`,
    });
  });
});
