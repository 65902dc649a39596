import { describe, expect, it } from 'vitest';
import { assessPosition, type PositionEvidence } from './assess-position.ts';

const CREATED = '2026-05-04T10:15:00Z';

/** A durable that has applied everything: 100 events of a complete stream. */
const usual: PositionEvidence = {
  stream: { createdAt: CREATED, firstSeq: 1, lastSeq: 100 },
  durable: { deliveredSeq: 100, ackFloorSeq: 90, ackPending: 0 },
  stored: { streamCreatedAt: CREATED, verifiedSeq: 60, appliedSeq: 100 },
  copyMissing: false,
  hasFacts: true,
};
const stored = { streamCreatedAt: CREATED, verifiedSeq: 60, appliedSeq: 80 };
const stream = { createdAt: CREATED, firstSeq: 1, lastSeq: 100 };
/** The server when it has one event less. */
const beforeTheLast = {
  stream: { ...stream, lastSeq: 99 },
  durable: { deliveredSeq: 99, ackFloorSeq: 99, ackPending: 0 },
};
const isRebuilt = { kind: 'rebuild' };

const CASES: readonly (readonly [string, Partial<PositionEvidence>, object])[] = [
  ['everything applied', {}, { kind: 'current', floorSeq: 100 }],
  [
    'acknowledgements pending: the ack floor counts',
    { durable: { deliveredSeq: 100, ackFloorSeq: 90, ackPending: 3 } },
    { kind: 'current', floorSeq: 90 },
  ],
  [
    'the floor never falls behind the last check',
    { durable: { deliveredSeq: 100, ackFloorSeq: 10, ackPending: 3 } },
    { kind: 'current', floorSeq: 60 },
  ],
  [
    'a waiting event after others that the filter excludes, which newer servers do not count as delivered',
    {
      stored: { streamCreatedAt: CREATED, verifiedSeq: 90, appliedSeq: 60 },
      durable: { deliveredSeq: 60, ackFloorSeq: 60, ackPending: 0 },
    },
    { kind: 'current', floorSeq: 90 },
  ],
  ['an unknown durable of the same stream', { durable: undefined }, { kind: 'current', floorSeq: 60 }],
  ['a skipped part without matching events', { stored, nextSeq: undefined }, { kind: 'current', floorSeq: 100 }],
  ['the next event is not acknowledged yet', { stored, nextSeq: 101 }, { kind: 'current', floorSeq: 100 }],
  [
    'acknowledged events that were not applied',
    { stored, nextSeq: 85 },
    { kind: 'replay', afterSeq: 60, floorSeq: 100 },
  ],
  [
    'the same when the stream begins later',
    { stored, nextSeq: 85, stream: { ...stream, firstSeq: 70 } },
    { kind: 'rebuild', floorSeq: 100 },
  ],
  [
    'events dropped after the position',
    { stored, nextSeq: 95, stream: { ...stream, firstSeq: 90 } },
    { kind: 'rebuild', floorSeq: 100 },
  ],
  [
    'events dropped before they were delivered',
    {
      stream: { ...stream, firstSeq: 200, lastSeq: 300 },
      durable: { deliveredSeq: 100, ackFloorSeq: 100, ackPending: 0 },
    },
    { kind: 'rebuild', floorSeq: 199 },
  ],
  [
    'another stream of that name',
    { stream: { ...stream, createdAt: 'later', lastSeq: 5 } },
    { kind: 'rebuild', floorSeq: 5 },
  ],
  ['a stream that ends before the position', { stream: { ...stream, lastSeq: 99 } }, { kind: 'rebuild', floorSeq: 99 }],
  [
    'a durable that fell back behind the last check',
    { durable: { deliveredSeq: 50, ackFloorSeq: 50, ackPending: 0 } },
    { kind: 'rebuild', floorSeq: 50 },
  ],
  [
    'an event that was published, delivered and applied after the server was asked',
    { ...beforeTheLast, later: { stream, durable: usual.durable } },
    { kind: 'current', floorSeq: 99 },
  ],
  [
    'the same, but the server has lost it',
    { ...beforeTheLast, later: beforeTheLast },
    { kind: 'rebuild', floorSeq: 99 },
  ],
  [
    'the same, but the durable was set back',
    { ...beforeTheLast, later: { stream, durable: beforeTheLast.durable } },
    { kind: 'rebuild', floorSeq: 99 },
  ],
  ['an empty copy', { copyMissing: true }, isRebuilt],
  ['no position, and acknowledged events', { stored: undefined }, { kind: 'rebuild', floorSeq: 100 }],
  [
    'no position, and a stream that begins later',
    { stored: undefined, durable: undefined, stream: { ...stream, firstSeq: 7 } },
    { kind: 'rebuild', floorSeq: 0 },
  ],
  ['a new service and a complete stream', { stored: undefined, durable: undefined }, { kind: 'current', floorSeq: 0 }],
  [
    'a new service and an empty stream',
    { stored: undefined, durable: undefined, stream: { ...stream, firstSeq: 0, lastSeq: 0 } },
    { kind: 'current', floorSeq: 0 },
  ],
  [
    'commands without a position',
    { stored: undefined, hasFacts: false },
    { kind: 'replay', afterSeq: 0, floorSeq: 100 },
  ],
  [
    'commands of another stream of that name',
    { stream: { ...stream, createdAt: 'later' }, hasFacts: false },
    { kind: 'lost', floorSeq: 100 },
  ],
];

describe('assessPosition', () => {
  it.each(CASES)('%s', (_case, evidence, expected) => {
    expect(assessPosition({ ...usual, ...evidence })).toMatchObject(expected);
  });
});
