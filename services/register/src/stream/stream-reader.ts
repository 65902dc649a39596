import type { ServerResponse } from 'node:http';
import { noticeFor, type StreamedRevision } from '../revisions/domain/change-notice.ts';
import { filterKey, type Filter } from '../requests/domain/filters.ts';
import { byeFrame, noticeFrame, type ByeReason } from './domain/stream-frames.ts';

/** What a socket may hold unsent before its reader is taken out of its group (register.md 4.4). */
const UNSENT_BYTES_MAX = 64 * 1024;
/** A reader that takes nothing for so long is disconnected. Its last id brings it back without loss. */
const STALLED_MS_MAX = 60_000;
const CLOSE_MS_MAX = 2_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 10_000;

export interface ReaderOptions {
  readonly response: ServerResponse;
  readonly filter: Filter;
  readonly heartbeatMs: number;
  /** When the connection ends by its age. */
  readonly endsAtMs: number;
  /** Everything up to it was sent, or does not concern the reader. */
  readonly position: bigint;
  /** The broker for which notices have whole tenders; absent: they have none. */
  readonly expandedFor?: string;
}

/** One open stream. Only its position is kept for it, however slow it is. */
export interface StreamReader {
  readonly key: string;
  readonly filter: Filter;
  readonly heartbeatMs: number;
  readonly endsAtMs: number;
  readonly expandedFor?: string;
  position: bigint;
  /** When something was last written. */
  writtenAtMs: number;
  isOpen(): boolean;
  /** The socket holds more than it should. */
  isSlow(): boolean;
  write(frames: string | Buffer, nowMs: number): void;
  /** Parts of frames. Large ones are not copied. */
  writeParts(parts: readonly (string | Buffer)[], nowMs: number): void;
  /** Resolves when the socket is empty. A reader that takes nothing for 60 s is disconnected, which resolves it too. */
  drained(): Promise<void>;
  /** Says why and ends the stream; the client reconnects at a random time. */
  end(reason: ByeReason): void;
  onClose(listener: () => void): void;
}

/** `random`: from 0 to below 1. */
export function makeReader(options: ReaderOptions, random: () => number): StreamReader {
  const { response, filter, heartbeatMs, endsAtMs, position, expandedFor } = options;
  const isOpen = (): boolean => !response.destroyed && !response.writableEnded;
  const reader: StreamReader = {
    key: filterKey(filter),
    filter,
    heartbeatMs,
    endsAtMs,
    position,
    ...(expandedFor === undefined ? {} : { expandedFor }),
    writtenAtMs: 0,
    isOpen,
    isSlow: () => response.writableLength > UNSENT_BYTES_MAX,
    write(frames, nowMs) {
      if (!isOpen()) return;
      response.write(frames);
      reader.writtenAtMs = nowMs;
    },
    writeParts(parts, nowMs) {
      response.cork();
      for (const part of parts) reader.write(part, nowMs);
      response.uncork();
    },
    async drained() {
      if (!isOpen() || !response.writableNeedDrain) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => reader.end('slow'), STALLED_MS_MAX);
        const settle = (): void => {
          clearTimeout(timer);
          response.off('drain', settle).off('close', settle);
          resolve();
        };
        response.once('drain', settle).once('close', settle);
      });
    },
    end(reason) {
      if (!isOpen()) return;
      const retryMs = RETRY_MS_MIN + Math.floor(random() * (RETRY_MS_MAX - RETRY_MS_MIN));
      response.end(byeFrame(reason, retryMs));
      const timer = setTimeout(() => response.destroy(), reason === 'slow' ? 0 : CLOSE_MS_MAX);
      response.once('close', () => clearTimeout(timer));
    },
    onClose: (listener) => void response.once('close', listener),
  };
  return reader;
}

/** What a filter lets through, as frames. */
export function framesFor(filter: Filter, revisions: readonly StreamedRevision[]): string {
  return revisions
    .map((revision) => noticeFor(filter, revision))
    .map((notice) => (notice === undefined ? '' : noticeFrame(notice)))
    .join('');
}
