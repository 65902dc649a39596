import { decodeReads, encodeHead, type Read } from '@procurement/kit/http/read-frames';
import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { TooManyBytesError } from './kept-answer.ts';
import { makeReadTogether, type Reader } from './read-together.ts';

const nextTurn = async () => new Promise((resolve) => setImmediate(resolve));

/** A request that a service has received. */
interface Received {
  readonly targets: readonly string[];
  isAborted: boolean;
  /** Sends a piece of the answer to the read at that position. */
  send(index: number, text: string, isLast?: boolean): void;
  end(status?: number): void;
  fail(code: string): void;
}

/** A service that answers when the test says so. */
function makeService() {
  const received: Received[] = [];
  const dispatch: Dispatcher['dispatch'] = ({ body }, handler) => {
    const fail = (error: Error): void => handler.onResponseError?.(controller, error);
    const reads = decodeReads(Buffer.from(typeof body === 'string' ? body : '')) ?? [];
    const one: Received = {
      targets: reads.map(({ target }) => target),
      isAborted: false,
      send: (index, text, isLast = true) => {
        const bytes = Buffer.from(text);
        const head = encodeHead({ index, isLast, status: 200, revision: 7, retryAfter: 0, length: bytes.length });
        handler.onResponseStart?.(controller, 200, {});
        // Bytes of a socket end anywhere.
        const all = Buffer.concat([head, bytes]);
        handler.onResponseData?.(controller, all.subarray(0, 10));
        handler.onResponseData?.(controller, all.subarray(10));
      },
      end: (status = 200) => {
        handler.onResponseStart?.(controller, status, {});
        handler.onResponseEnd?.(controller, {});
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
  const readTogether = makeReadTogether({ pool: { dispatch }, headers: () => ({}) });
  const read = (target: string, reader: Reader, key: string | null = target) => {
    const asked: Read = { target, identity: 'i', requestId: 'r', traceparent: 't' };
    return readTogether(key ?? undefined, asked, reader);
  };
  return { read, received };
}

function makeReader(keeps = true): Reader & { readonly got: string[] } {
  const got: string[] = [];
  return {
    got,
    onAnswer: ({ status, revision, bytes }) => got.push(`${status} ${revision} ${bytes.toString()}`),
    onFailure: (error) => got.push(error.constructor === Error ? error.message : error.constructor.name),
    keeps: () => keeps,
  };
}

type TestReader = ReturnType<typeof makeReader>;
const readers = (count: number) =>
  // Tests take as many as they make.
  Array.from({ length: count }, () => makeReader()) as [TestReader, TestReader, TestReader];

describe('reads of one turn', () => {
  it('travel in one request, equal ones once, and get their answers as these come', async () => {
    const { read, received } = makeService();
    const [a, b, again] = readers(3);
    read('/a', a);
    read('/b', b);
    read('/a', again);
    expect(received).toEqual([]);
    await nextTurn();
    expect(received.map(({ targets }) => targets)).toEqual([['/a', '/b']]);
    received[0]?.send(1, 'two');
    expect([a.got, b.got, again.got]).toEqual([[], ['200 7 two'], []]);
    received[0]?.send(0, 'on', false);
    received[0]?.send(0, 'e');
    expect([a.got, b.got, again.got]).toEqual([['200 7 one'], ['200 7 two'], ['200 7 one']]);
  });

  it('begin after their readers have come: who comes in the next turn is read again', async () => {
    const { read, received } = makeService();
    const [first, later] = readers(2);
    read('/a', first);
    await nextTurn();
    read('/a', later);
    received[0]?.send(0, 'old');
    expect([first.got, later.got]).toEqual([['200 7 old'], []]);
    await nextTurn();
    received[1]?.send(0, 'new');
    expect(later.got).toEqual(['200 7 new']);
  });

  it('share nothing without a key', async () => {
    const { read, received } = makeService();
    for (const reader of readers(2)) read('/a', reader, null);
    await nextTurn();
    expect(received.map(({ targets }) => targets)).toEqual([['/a', '/a']]);
  });

  it('are at most 64 in a request', async () => {
    const { read, received } = makeService();
    readers(64 + 2).forEach((reader, n) => read(`/${n}`, reader));
    await nextTurn();
    expect(received.map(({ targets }) => targets.length)).toEqual([64, 2]);
  });

  it('are read again once after a lost connection, except those that have their answer', async () => {
    const { read, received } = makeService();
    const [answered, begun, other] = readers(3);
    read('/a', answered);
    read('/b', begun);
    read('/c', other);
    await nextTurn();
    received[0]?.send(0, 'one');
    received[0]?.send(1, 'tw', false);
    received[0]?.fail('ECONNRESET');
    expect([answered.got, begun.got, other.got]).toEqual([['200 7 one'], ['ECONNRESET'], []]);
    expect(received[1]?.targets).toEqual(['/c']);
    received[1]?.fail('ECONNRESET');
    expect(other.got).toEqual(['ECONNRESET']);
    expect(received).toHaveLength(2);
  });

  it('fail when the service answers without them', async () => {
    const { read, received } = makeService();
    const reader = makeReader();
    read('/a', reader);
    await nextTurn();
    received[0]?.end();
    expect(reader.got).toEqual(['reads were not answered: 200']);
  });

  it('get their answers although that of one cannot be sent', async () => {
    const { read, received } = makeService();
    const broken: Reader = {
      ...makeReader(),
      onAnswer: () => {
        throw new Error('invalid header');
      },
      onFailure: vi.fn<(error: Error) => void>(),
    };
    const reader = makeReader();
    read('/a', broken);
    read('/a', reader);
    await nextTurn();
    received[0]?.send(0, 'one');
    expect(reader.got).toEqual(['200 7 one']);
    expect(broken.onFailure).toHaveBeenCalledWith(new Error('invalid header'));
  });

  it('end when all readers have left; those who stay go on', async () => {
    const { read, received } = makeService();
    const [first, second, third] = readers(3);
    const left = read('/a', first);
    read('/a', second);
    const alone = read('/b', third);
    await nextTurn();
    left.leave(first);
    alone.leave(third);
    expect(received[0]?.isAborted).toBe(false);
    received[0]?.send(1, 'two');
    left.leave(second);
    expect(received[0]?.isAborted).toBe(true);
    expect([first.got, second.got, third.got]).toEqual([[], [], []]);
  });

  it('without room for a long answer are refused, each for itself', async () => {
    const { read, received } = makeService();
    const [full, other] = [makeReader(false), makeReader()];
    read('/a', full);
    read('/a', other);
    await nextTurn();
    const long = 'x'.repeat(65 * 1024);
    received[0]?.send(0, long);
    expect([full.got, other.got]).toEqual([[TooManyBytesError.name], [`200 7 ${long}`]]);
    const last = makeReader(false);
    read('/a', last);
    await nextTurn();
    received[1]?.send(0, long);
    expect([last.got, received[1]?.isAborted]).toEqual([[TooManyBytesError.name], true]);
  });
});
