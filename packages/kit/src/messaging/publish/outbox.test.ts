import { describe, expect, it } from 'vitest';
import { secureIds } from '../../runtime/ids.ts';
import { toProblem } from '../../http/server.ts';
import { makeActiveTraces } from '../../runtime/active-traces.ts';
import { startSpan } from '../../runtime/trace-context.ts';
import { EVENT_BYTES_HARD_MAX, EVENT_BYTES_MAX } from '../event-bytes.ts';
import { EventTooLargeError, makeOutbox } from './outbox.ts';

const event = {
  type: 'thing.changed',
  schema: 'thing.changed/1',
  subjectId: 'a',
  version: 1,
  time: '2026-05-04T10:15:00+03:00',
  data: {},
  correlationId: 'r',
};

function makeCountingOutbox() {
  let wakes = 0;
  const appliedAcks = { replySubjectFor: () => '', awaitApplied: async () => true };
  const traces = makeActiveTraces();
  const outbox = makeOutbox({ stream: 'things', ids: secureIds, appliedAcks, traces, wake: () => (wakes += 1) });
  return { outbox, traces, wakes: () => wakes };
}

describe('row', () => {
  const { outbox, traces } = makeCountingOutbox();
  const envelopeBytes = (data: unknown): number => Buffer.byteLength(outbox.row({ ...event, data }).envelope);
  // Two bytes for each letter.
  const largest = 'ї'.repeat((EVENT_BYTES_MAX - envelopeBytes('')) / 2);

  it('refuses an event of a request that is too large, in bytes', () => {
    const span = traces.enter({ correlationId: event.correlationId }, startSpan(undefined));
    expect(envelopeBytes(largest)).toBeGreaterThan(EVENT_BYTES_MAX - 2);
    expect(() => envelopeBytes(`${largest}ї`)).toThrow(EventTooLargeError);
    span.end();
    expect(toProblem(new EventTooLargeError('thing.changed', 5_000_000, EVENT_BYTES_MAX))).toMatchObject({
      status: 413,
      code: 'request.too-large',
    });
  });

  it('refuses one of an applied event only above the largest of all, also while its request is being handled', () => {
    const request = traces.enter({ correlationId: event.correlationId }, startSpan(undefined));
    const applied = traces.enter(
      { correlationId: event.correlationId, subject: event.subjectId },
      startSpan(undefined),
    );
    expect(envelopeBytes(largest.repeat(3))).toBeGreaterThan(8 * 1024 * 1024);
    expect(() => envelopeBytes('x'.repeat(EVENT_BYTES_HARD_MAX))).toThrow(EventTooLargeError);
    applied.end();
    expect(() => envelopeBytes(largest.repeat(3))).toThrow(EventTooLargeError);
    request.end();
  });

  it('refuses one of a clock tick, which has no request, only above the largest of all', () => {
    expect(envelopeBytes(largest.repeat(3))).toBeGreaterThan(8 * 1024 * 1024);
    expect(() => envelopeBytes('x'.repeat(EVENT_BYTES_HARD_MAX))).toThrow(EventTooLargeError);
  });

  it('allows a request as much as it says', () => {
    const span = traces.enter({ correlationId: event.correlationId }, startSpan(undefined));
    const requestBytesMax = 3 * EVENT_BYTES_MAX;
    const { envelope } = outbox.row({ ...event, data: largest.repeat(2) }, { requestBytesMax });
    expect(Buffer.byteLength(envelope)).toBeGreaterThan(2 * EVENT_BYTES_MAX - 1_000);
    expect(() => outbox.row({ ...event, data: largest.repeat(3) }, { requestBytesMax: EVENT_BYTES_MAX })).toThrow(
      EventTooLargeError,
    );
    span.end();
  });
});

describe('wakeIfRowsAdded', () => {
  it('does not wake the relay when no row was made', () => {
    const { outbox, wakes } = makeCountingOutbox();
    outbox.row(event);
    outbox.wakeIfRowsAdded()();
    expect(wakes()).toBe(0);
  });

  it('wakes for each of two overlapping transactions, whichever made the row', () => {
    const { outbox, wakes } = makeCountingOutbox();
    const [first, second] = [outbox.wakeIfRowsAdded(), outbox.wakeIfRowsAdded()];
    outbox.row(event);
    first();
    second();
    expect(wakes()).toBe(2);
  });
});
