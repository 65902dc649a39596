import { describe, expect, it } from 'vitest';
import { makeActiveTraces } from './active-traces.ts';
import { startSpan } from './trace-context.ts';

describe('makeActiveTraces', () => {
  it('finds the context of a request by its id until it ends', () => {
    const traces = makeActiveTraces();
    const context = startSpan(undefined);
    const { end } = traces.enter({ correlationId: 'req-1' }, context);
    expect(traces.find('req-1', 'tender')).toBe(context);
    expect(traces.find('req-2', 'tender')).toBeUndefined();
    end();
    expect(traces.find('req-1', 'tender')).toBeUndefined();
  });

  it('distinguishes events of one cause by their subjects', () => {
    const traces = makeActiveTraces();
    const [a, b] = [startSpan(undefined), startSpan(undefined)];
    traces.enter({ correlationId: 'clock', subject: 'a' }, a);
    traces.enter({ correlationId: 'clock', subject: 'b' }, b);
    expect(traces.find('clock', 'a')).toBe(a);
    expect(traces.find('clock', 'b')).toBe(b);
    expect(traces.find('clock', 'c')).toBeUndefined();
  });

  it('keeps a context while another with the same key ends', () => {
    const traces = makeActiveTraces();
    const key = { correlationId: 'req-1', subject: 'a' };
    const context = startSpan(undefined);
    const first = traces.enter(key, context);
    const second = traces.enter(key, startSpan(context));
    expect(traces.find('req-1', 'a')).not.toBe(context);
    second.end();
    expect(traces.find('req-1', 'a')).toBe(context);
    first.end();
    expect(traces.find('req-1', 'a')).toBeUndefined();
  });
});
