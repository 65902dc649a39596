import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import type { StreamEventData } from '@procurement/contracts/resources/stream-events';
import { secondsText } from '@procurement/domain/feed-offset';

/** Why the server ends a stream (register.md 4.1). */
export type ByeReason = StreamEventData['bye']['reason'];

/** The first bytes of a stream. The reader starts after `position`. */
export function helloFrames(position: bigint, heartbeatSeconds: number): string {
  const id = secondsText(position);
  return `: procurement change stream\nretry: 3000\n\n${event('hello', { position: id, heartbeatSeconds }, `id: ${id}`)}`;
}

export function noticeFrame(notice: ChangeNotice): string {
  return `id: ${notice.position}\ndata: ${JSON.stringify(notice)}\n\n`;
}

/** A notice with the text of its tender, as parts to be written one after another: the text is pasted, neither parsed nor copied. */
export function expandedFrame(notice: ChangeNotice, tender: Buffer): readonly (string | Buffer)[] {
  return [`id: ${notice.position}\ndata: ${JSON.stringify(notice).slice(0, -1)},"tender":`, tender, '}\n\n'];
}

/** No event: browsers only move their last id. */
export function heartbeatFrame(position: bigint): string {
  return `:\nid: ${secondsText(position)}\n\n`;
}

/** The position stays while the owner does not answer. */
export function behindFrame(seconds: number): string {
  return `: behind ${Math.round(seconds)}\n\n`;
}

/** Precedes the last states of tenders that changed in a time whose revisions are not all sent. */
export function farBehindFrame(from: bigint, until: bigint): string {
  return event('behind', { from: secondsText(from), until: secondsText(until) });
}

/** Positions after `restoredTo` and before `began` are void. */
export function resetFrame(restoredTo: bigint, began: bigint): string {
  return event('reset', { after: secondsText(restoredTo), before: secondsText(began) }, `id: ${secondsText(began)}`);
}

export function byeFrame(reason: ByeReason, retryMs: number): string {
  return event('bye', { reason }, `retry: ${retryMs}`);
}

function event<N extends keyof StreamEventData>(name: N, data: StreamEventData[N], field?: string): string {
  return `event: ${name}\n${field === undefined ? '' : `${field}\n`}data: ${JSON.stringify(data)}\n\n`;
}
