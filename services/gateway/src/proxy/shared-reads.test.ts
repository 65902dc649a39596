import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { TooManyBytesError } from './kept-answer.ts';
import { makeSharedReads, type Reader, type UpstreamRead } from './shared-reads.ts';

const read = (pool: UpstreamRead['pool'], target = '/tenders/1'): UpstreamRead => ({
  pool,
  target,
  headers: () => ({}),
});

/** A read that a service has received. */
interface Received {
  readonly target: string;
  isAborted: boolean;
  answer(text: string): void;
  fail(code: string): void;
}

/** A service that answers when the test says so. */
function makeService(): { readonly pool: UpstreamRead['pool']; readonly received: Received[] } {
  const received: Received[] = [];
  const dispatch: Dispatcher['dispatch'] = ({ path }, handler) => {
    const fail = (error: Error): void => handler.onResponseError?.(controller, error);
    const one: Received = {
      target: path,
      isAborted: false,
      answer: (text) => {
        handler.onResponseStart?.(controller, 200, { etag: '"1-2.5"' });
        handler.onResponseData?.(controller, Buffer.from(text));
        if (!one.isAborted) handler.onResponseEnd?.(controller, {});
      },
      fail: (code) => fail(Object.assign(new Error(code), { code })),
    };
    const controller = {
      abort: (error: Error) => {
        one.isAborted = true;
        fail(error);
      },
    } as Dispatcher.DispatchController;
    received.push(one);
    handler.onRequestStart?.(controller, undefined);
    return true;
  };
  return { pool: { dispatch }, received };
}

function makeReader(keeps = true): Reader & { readonly got: string[] } {
  const got: string[] = [];
  return {
    got,
    onAnswer: ({ status, headers, body }) => got.push(`${status} ${String(headers['etag'])} ${body.toString()}`),
    onFailure: (error) => got.push(error.constructor === Error ? error.message : error.constructor.name),
    keeps: () => keeps,
  };
}

describe('readers of the same', () => {
  it('fail together when the read cannot be made, and later ones are read', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const [first, second, third] = [makeReader(), makeReader(), makeReader()];
    const headers = (): never => {
      throw new Error('no identity');
    };
    reads('k', read(pool), first);
    reads('k', { ...read(pool), headers }, second);
    received[0]?.answer('old');
    expect(second.got).toEqual(['no identity']);
    reads('k', read(pool), third);
    received[1]?.answer('new');
    expect(third.got).toEqual(['200 "1-2.5" new']);
  });

  it('get their answers although that of one cannot be sent', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const broken: Reader = {
      ...makeReader(),
      onAnswer: () => {
        throw new Error('invalid header');
      },
      onFailure: vi.fn<(error: Error) => void>(),
    };
    const reader = makeReader();
    reads('k', read(pool), makeReader());
    reads('k', read(pool), broken);
    reads('k', read(pool), reader);
    received[0]?.answer('old');
    received[1]?.answer('new');
    expect(reader.got).toEqual(['200 "1-2.5" new']);
    expect(broken.onFailure).toHaveBeenCalledWith(new Error('invalid header'));
  });

  it('who come while it is read share the next read, which begins after they have come', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const readers = [makeReader(), makeReader(), makeReader()] as const;
    for (const reader of readers) reads('k', read(pool), reader);
    expect(received).toHaveLength(1);
    received[0]?.answer('old');
    expect(readers.map(({ got }) => got)).toEqual([['200 "1-2.5" old'], [], []]);
    expect(received).toHaveLength(2);
    received[1]?.answer('new');
    expect(readers.map(({ got }) => got)).toEqual([['200 "1-2.5" old'], ['200 "1-2.5" new'], ['200 "1-2.5" new']]);
    reads('k', read(pool), makeReader());
    expect(received).toHaveLength(3);
  });

  it('share nothing without a key, or with another one', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    for (const key of [undefined, undefined, 'a', 'b']) reads(key, read(pool), makeReader());
    expect(received).toHaveLength(4);
  });

  it('are at most 64; others read alone', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    for (let n = 0; n < 1 + 64 + 2; n += 1) reads('k', read(pool), makeReader());
    expect(received).toHaveLength(3);
  });

  it('do not wait for a read that hangs', () => {
    vi.useFakeTimers();
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const [slow, waiting] = [makeReader(), makeReader()];
    reads('k', read(pool), slow);
    reads('k', read(pool), waiting);
    vi.advanceTimersByTime(49);
    expect(received).toHaveLength(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    received[1]?.answer('new');
    received[0]?.answer('old');
    expect([slow.got, waiting.got]).toEqual([['200 "1-2.5" old'], ['200 "1-2.5" new']]);
    expect(received).toHaveLength(2);
  });

  it('read again once after a lost connection, and get the second failure all', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const [first, ...others] = [makeReader(), makeReader(), makeReader()] as const;
    reads('k', read(pool), first);
    for (const reader of others) reads('k', read(pool), reader);
    received[0]?.answer('old');
    received[1]?.fail('ECONNRESET');
    expect(others.map(({ got }) => got)).toEqual([[], []]);
    received[2]?.fail('ECONNRESET');
    expect(others.map(({ got }) => got)).toEqual([['ECONNRESET'], ['ECONNRESET']]);
    expect(received).toHaveLength(3);
  });

  it('end the read when all have left, and those behind it go on', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const [first, second, third] = [makeReader(), makeReader(), makeReader()];
    const leave = reads('k', read(pool), first);
    const leaveSecond = reads('k', read(pool), second);
    reads('k', read(pool), third);
    leaveSecond();
    expect(received[0]?.isAborted).toBe(false);
    leave();
    expect(received.map(({ isAborted }) => isAborted)).toEqual([true, false]);
    received[1]?.answer('new');
    expect([first.got, second.got, third.got]).toEqual([[], [], ['200 "1-2.5" new']]);
  });

  it('without room for a long answer are refused, each for itself', () => {
    const { pool, received } = makeService();
    const reads = makeSharedReads();
    const [first, full, other] = [makeReader(), makeReader(false), makeReader()];
    reads('k', read(pool), first);
    reads('k', read(pool), full);
    reads('k', read(pool), other);
    received[0]?.answer('');
    const long = 'x'.repeat(65 * 1024);
    received[1]?.answer(long);
    expect([full.got, other.got]).toEqual([[TooManyBytesError.name], [`200 "1-2.5" ${long}`]]);
    const last = makeReader(false);
    reads('k', read(pool), last);
    received[2]?.answer(long);
    expect([last.got, received[2]?.isAborted]).toEqual([[TooManyBytesError.name], true]);
  });
});
