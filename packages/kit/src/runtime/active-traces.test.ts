import { describe, expect, it } from 'vitest';
import { makeActiveTraces } from './active-traces.ts';

describe('makeActiveTraces', () => {
  it('finds the context of a request by its id until it ends', () => {
    const traces = makeActiveTraces();
    const { context, end } = traces.start({ correlationId: 'req-1' }, undefined);
    expect(traces.find('req-1', 'tender')).toBe(context);
    expect(traces.find('req-2', 'tender')).toBeUndefined();
    end();
    expect(traces.find('req-1', 'tender')).toBeUndefined();
  });

  it('distinguishes events of one cause by their subjects', () => {
    const traces = makeActiveTraces();
    const [a, b] = ['a', 'b'].map((subject) => traces.start({ correlationId: 'clock', subject }, undefined));
    expect(traces.find('clock', 'a')).toBe(a?.context);
    expect(traces.find('clock', 'b')).toBe(b?.context);
    expect(traces.find('clock', 'c')).toBeUndefined();
  });

  it('keeps a context while another with the same key ends', () => {
    const traces = makeActiveTraces();
    const first = traces.start({ correlationId: 'req-1', subject: 'a' }, undefined);
    const second = traces.start({ correlationId: 'req-1', subject: 'a' }, first.context);
    expect(second.context.traceId).toBe(first.context.traceId);
    second.end();
    expect(traces.find('req-1', 'a')).toBe(first.context);
    first.end();
    expect(traces.find('req-1', 'a')).toBeUndefined();
  });
});
