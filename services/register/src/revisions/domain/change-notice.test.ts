import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { paperHistory, paperTenders } from '../../../test-support/paper.ts';
import { causeBits } from '@procurement/contracts/resources/causes';
import { noticeFor, type StreamedRevision } from './change-notice.ts';
import type { Filter } from '../../requests/domain/filters.ts';
import { STREAM_EVENTS } from '@procurement/contracts/resources/stream-events';
import {
  behindFrame,
  byeFrame,
  expandedFrame,
  farBehindFrame,
  heartbeatFrame,
  helloFrames,
  noticeFrame,
  resetFrame,
  type ByeReason,
} from '../../stream/domain/stream-frames.ts';
import { tenderColumns } from './tender-columns.ts';

function attributes(n: number) {
  return { listed: true, ...tenderColumns(paperTenders[n] ?? {}) };
}

/** A revision of the fixture. */
function revision(rev: number, causes: bigint, overrides: Partial<StreamedRevision> = {}): StreamedRevision {
  const entry = paperHistory[rev - 1];
  return {
    position: BigInt((entry?.position ?? '').replace('.', '')),
    rev,
    number: 'UA-2026-03-02-000001',
    causes,
    flags: 0,
    bytes: 100,
    ...(entry?.changed === undefined ? {} : { changed: entry.changed }),
    tender: attributes(rev - 1),
    ...(rev === 1 ? {} : { before: attributes(rev - 2) }),
    ...overrides,
  };
}

function describeMatch(filter: Filter, one: StreamedRevision): string | undefined {
  const notice = noticeFor(filter, one);
  return notice === undefined ? undefined : `${notice.type} ${notice.match ?? ''}`.trim();
}

/** The events in a text of a stream, as a browser reads them: only a frame with data is one. */
function eventsIn(text: string): readonly { name: keyof typeof STREAM_EVENTS; data: unknown }[] {
  return text.split('\n\n').flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    const [, name = 'message'] = /^event: (.*)$/m.exec(frame) ?? [];
    // A name that the contract lacks has no schema, and fails the test.
    return data === undefined ? [] : [{ name: name as keyof typeof STREAM_EVENTS, data: JSON.parse(data) }];
  });
}

describe('the frames of a stream', () => {
  it('are exactly those of the fixture', () => {
    const fixture = readFileSync(new URL('../../../test-support/fixtures/stream.paper.txt', import.meta.url), 'utf8');
    const notices = [causeBits(['tender.created']), causeBits(['question.answered']), causeBits(['clock'])].map(
      (causes, n) => {
        const notice = noticeFor({}, revision(n + 1, causes));
        return notice === undefined ? '' : noticeFrame(notice);
      },
    );
    const heartbeat = heartbeatFrame(1_772_609_427_000_311n);
    const frames = [notices[0], notices[1], heartbeat, notices[2]].join('');
    expect(helloFrames(1_772_439_000_000_000n, 15) + frames + byeFrame('age', 7421)).toBe(fixture);
  });

  it('have exactly the members that the contract of their event names', () => {
    const notice = noticeFor({ status: ['active.enquiries'] }, revision(2, causeBits(['question.answered'])));
    if (notice === undefined) throw new Error('the revision does not match');
    const reasons: readonly ByeReason[] = STREAM_EVENTS.bye.shape.reason.options;
    const frames = [
      helloFrames(1_772_609_427_000_311n, 15),
      farBehindFrame(1n, 2n),
      resetFrame(1n, 2n),
      ...reasons.map((reason) => byeFrame(reason, 1_000)),
      noticeFrame(notice),
      heartbeatFrame(1n),
      behindFrame(20),
    ];
    const events = frames.flatMap(eventsIn);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(Object.keys(STREAM_EVENTS)));
    expect(events).toHaveLength(frames.length - 2);
    for (const { name, data } of events) expect(STREAM_EVENTS[name].strict().parse(data), name).toEqual(data);
  });

  it('of a change with a tender are its notice and the text of the tender', () => {
    const notice = noticeFor({}, revision(2, causeBits(['question.answered'])));
    if (notice === undefined) throw new Error('the revision does not match');
    const [event] = eventsIn(expandedFrame(notice, Buffer.from('{"title":"a"}')).join(''));
    expect(event?.data).toEqual({ ...notice, tender: { title: 'a' } });
  });
});

describe('noticeFor', () => {
  const EDITED = causeBits(['tender.edited']);

  it('sends every revision in a status, then that the tender has left it, then nothing (A12)', () => {
    const filter: Filter = { status: ['active.enquiries'] };
    const notices = paperHistory.map(({ rev }) => describeMatch(filter, revision(rev, EDITED)));
    expect(notices).toEqual([
      'tender.created in',
      'tender.changed in',
      'tender.changed left',
      ...Array.from({ length: 5 }, () => undefined),
    ]);
  });

  it('judges by causes the change alone, so that no tender leaves by them', () => {
    const filter: Filter = { causes: [causeBits(['clock'])] };
    expect(describeMatch(filter, revision(3, causeBits(['clock'])))).toBe('tender.changed in');
    expect(describeMatch(filter, revision(4, EDITED))).toBeUndefined();
  });

  it('tells readers of real tenders that one became a test, and readers of tests that it came (A5)', () => {
    const moved = revision(2, EDITED, { tender: { ...attributes(1), isTest: true } });
    expect([
      describeMatch({}, moved),
      describeMatch({ mode: 'test' }, moved),
      describeMatch({ mode: '_all_' }, moved),
    ]).toEqual(['tender.changed left', 'tender.changed', 'tender.changed']);
    expect(noticeFor({ mode: 'test' }, moved)?.mode).toBe('test');
  });

  it('tells that a tender was removed from lists', () => {
    const removed = revision(2, EDITED, { tender: { ...attributes(1), listed: false } });
    expect([describeMatch({}, removed), describeMatch({ status: ['active'] }, removed)]).toEqual([
      'tender.removed',
      'tender.removed left',
    ]);
    expect(describeMatch({ status: ['complete'] }, removed)).toBeUndefined();
  });
});
