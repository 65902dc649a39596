import { describe, expect, it, vi } from 'vitest';
import type { VerifyEnvironment } from './environment.ts';
import { HttpSource, RecordingSource, type Source } from './source.ts';

const MIB = Buffer.alloc(1_048_576);

/** A server that answers so many MiB to each path that is not listed. */
function makeRecording(sizes: Readonly<Record<string, number>> = {}): RecordingSource {
  const read: Source['read'] = async (path) => {
    const bytes = Buffer.concat(Array.from({ length: sizes[path] ?? 1 }, () => MIB));
    return { status: path === 'lost' ? 404 : 200, bytes };
  };
  return new RecordingSource({ address: 'http://log.example', read });
}

describe('an address', () => {
  it('is asked eight questions at once, and the next one when one of them ends', async () => {
    const ends: ((response: Response) => void)[] = [];
    const environment: VerifyEnvironment = {
      env: {},
      signal: new AbortController().signal,
      fetch: async () => new Promise((end) => ends.push(end)),
      nowSeconds: () => 0,
      waitMs: async () => {},
      confirm: async () => false,
      print: () => {},
    };
    const source = new HttpSource(environment, 'http://log.example');
    const answers = Array.from({ length: 20 }, async (_, at) => source.read(`log/${at}`).catch(() => undefined));
    for (let at = 0; at < 20; at += 1) {
      await vi.waitFor(() => expect(ends).toHaveLength(Math.min(20, at + 8)));
      ends[at]?.(at === 3 ? new Response(null, { status: 500 }) : new Response(`${at}`));
    }
    expect((await Promise.all(answers)).map((answer) => answer?.bytes.toString())).toEqual(
      Array.from({ length: 20 }, (_, at) => (at === 3 ? '' : `${at}`)),
    );
  });
});

describe('answers that are kept as evidence', () => {
  it('are the newest ones: old tiles are dropped first', async () => {
    const source = makeRecording({ 'api/view': 10 });
    await source.read('log/checkpoint');
    await source.read('api/text');
    for (let tile = 0; tile < 100; tile += 1) await source.read(`log/tile/0/${tile}`);
    await source.read('api/view');
    const kept = [...source.answers.keys()];
    expect(kept).toHaveLength(55);
    expect(kept.slice(0, 3)).toEqual(['log/checkpoint', 'api/text', 'log/tile/0/48']);
    expect(kept.slice(-2)).toEqual(['log/tile/0/99', 'api/view']);
  });

  it('are old texts only where there is room', async () => {
    const source = makeRecording({ 'api/1': 30, 'api/2': 30, 'api/3': 30 });
    for (const path of ['log/checkpoint', 'log/tile/0/000', 'api/1', 'api/2', 'api/3']) await source.read(path);
    expect([...source.answers.keys()]).toEqual(['log/checkpoint', 'api/2', 'api/3']);
  });

  it('count once, also when they are read again', async () => {
    const source = makeRecording({ 'api/view': 30 });
    const view = Array.from({ length: 3 }, () => 'api/view');
    for (const path of ['log/tile/0/000', ...view, 'lost', 'api/text']) await source.read(path);
    expect([...source.answers.keys()]).toEqual(['log/tile/0/000', 'api/view', 'api/text']);
  });
});
