import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReads, encodeHead, encodeReads, FrameReader, type Frame, type Read } from './read-frames.ts';

const READS: readonly Read[] = [
  {
    target: '/tenders/1',
    identity: 'anonymous',
    requestId: 'r1',
    traceparent: 't1',
    tracestate: undefined,
    ifNoneMatch: '"1-2.5"',
  },
  {
    target: '/tenders?limit=1',
    identity: 'anonymous',
    requestId: 'r2',
    traceparent: 't2',
    tracestate: 's',
    ifNoneMatch: undefined,
  },
  {
    target: '/tenders/2',
    identity: 'broker',
    requestId: 'r3',
    traceparent: 't3',
    tracestate: undefined,
    ifNoneMatch: undefined,
  },
];

describe('reads', () => {
  it('are decoded as they were encoded; an identity is sent once for those that follow each other', () => {
    expect(decodeReads(Buffer.from(encodeReads(READS)))).toEqual(READS);
    expect(encodeReads(READS).split('anonymous')).toHaveLength(2);
  });

  it.each(['', 'x', '{}', '[]', '[["/tenders"]]', '[["/tenders",1,"","","",""]]'])('%j is none', (body) => {
    expect(decodeReads(Buffer.from(body))).toBeUndefined();
  });
});

describe('FrameReader', () => {
  it('finds the frames in bytes that are cut anywhere', () => {
    const frames = fc.array(
      fc.record({
        index: fc.nat(63),
        isLast: fc.boolean(),
        status: fc.constantFrom(200, 304, 404, 503),
        revision: fc.nat(2 ** 40),
        retryAfter: fc.nat(255),
        bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 30 }), (sent, cut) => {
        const got: [Frame, Buffer][] = [];
        let parts: Buffer[] = [];
        const reader = new FrameReader((frame, bytes, isEnd) => {
          parts.push(bytes);
          if (!isEnd) return;
          got.push([frame, Buffer.concat(parts)]);
          parts = [];
        });
        const all = Buffer.concat(
          sent.flatMap(({ bytes, ...frame }) => [encodeHead({ ...frame, length: bytes.length }), bytes]),
        );
        for (let at = 0; at < all.length; at += cut) reader.read(all.subarray(at, at + cut));
        expect(got).toEqual(sent.map(({ bytes, ...frame }) => [{ ...frame, length: bytes.length }, bytes]));
      }),
    );
  });
});
