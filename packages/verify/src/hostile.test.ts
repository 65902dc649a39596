import { afterEach, describe, expect, it, vi } from 'vitest';
import { codesOf, readMirror, Reader } from '../test-support/mirror.ts';
import { printable, printableJson } from './report.ts';

const mirror = readMirror('honest');
const T = mirror.tender;

describe('a server that is asked too fast', () => {
  const tooMany = (wait?: string) =>
    new Response(null, { status: 429, headers: wait === undefined ? {} : { 'retry-after': wait } });

  it.each([
    [undefined, 1_000],
    ['3', 3_000],
    ['0', 1_000],
    ['3600', 10_000],
    ['-5', 1_000],
    ['Thu, 26 Nov 2026 10:00:00 GMT', 1_000],
  ])('is asked again after its Retry-After: %s', async (wait, ms) => {
    const reader = new Reader(mirror);
    await reader.check('checkpoint');
    reader.answer = (path) => (reader.asked.filter((one) => one === path).length <= 4 ? tooMany(wait) : undefined);
    reader.asked.length = 0;
    expect(await reader.check('tender', T, '--full')).toMatchObject({ exit: 0 });
    expect(new Set(reader.waits)).toEqual(new Set([ms]));
  });

  it.each(['log/tile/0/000.p/5', `api/2.5/tenders/${T}`])('is not asked for ever: %s', async (refused) => {
    const reader = new Reader(mirror);
    reader.answer = (path) => (path === refused ? tooMany('1') : undefined);
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 1, error: expect.stringContaining(`${refused}: 429`) });
    expect(reader.asked.filter((path) => path === refused)).toHaveLength(10);
  });
});

describe('a hostile server', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([302, 307, 500, 401])('is not followed and not believed: status %i', async (status) => {
    const reader = new Reader(mirror);
    await reader.check('checkpoint');
    reader.answer = (path) =>
      path === `api/2.5/tenders/${T}`
        ? new Response(null, { status, headers: { location: 'http://other.example/' } })
        : undefined;
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 1, error: expect.stringContaining(`: ${status}`) });
  });

  it.each([
    ['a text', `api/2.5/tenders/${T}/history/1?exact=1`, 64],
    ['a view', `api/2.5/tenders/${T}`, 64],
    ['a tile', 'log/tile/0/000.p/5', 2],
    ['a list of leaves', `log/tenders/${T}`, 2],
  ])('does not fill the memory with %s', async (_, endless, most) => {
    const reader = new Reader(mirror);
    await reader.check('checkpoint');
    let sent = 0;
    const chunk = new Uint8Array(1_048_576);
    reader.answer = (path) => {
      if (path !== endless) return undefined;
      return new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(chunk);
          },
        }),
      );
    };
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 1, error: expect.stringContaining('more than') });
    // The stream reads a little ahead.
    expect(sent).toBeLessThanOrEqual(most + 3);
  });

  it('has 30 seconds for an answer', async () => {
    const reader = new Reader(mirror);
    await reader.check('checkpoint');
    const timeOut = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('late')));
    reader.answer = () => {
      throw new Error('late');
    };
    const { exit, printed } = await reader.run('checkpoint');
    expect(timeOut).toHaveBeenCalledWith(30_000);
    expect([exit, printed]).toEqual([1, expect.stringContaining('no answer in 30 s')]);
  });

  it.each([
    ['no JSON', '<html>'],
    ['another JSON', '[]'],
    ['leaves of no use', '{"leaves":[{"index":-1},{"index":1e300},{"index":"1"},null,7,{"index":99}]}'],
    ['an answer that begins anew', '{"leaves":[],"next":"0"}'],
  ])('sends as leaves %s', async (_, leaves) => {
    const reader = new Reader(mirror);
    reader.files[`log/tenders/${T}`] = leaves;
    const answer = await reader.check('tender', T);
    expect(answer.exit).not.toBe(0);
  });

  it('sends leaves without end', async () => {
    const reader = new Reader(mirror);
    reader.answer = (path) =>
      path.startsWith(`log/tenders/${T}`) ? Response.json({ leaves: [], next: reader.asked.length % 5 }) : undefined;
    const answer = await reader.check('tender', T);
    // All of the log has the entries; without blinds their texts are not proven.
    expect(codesOf(answer)).toEqual(['withheld']);
    // A few pages in each of 26 attempts: `next` must increase, and the log has five entries.
    expect(reader.asked.filter((path) => path.startsWith('log/tenders/')).length).toBeLessThanOrEqual(26 * 3);
  });

  it.each([
    ['a tile of zeros', 'log/tile/0/000.p/5', { base64: Buffer.alloc(160).toString('base64') }, 'root'],
    ['a tile that is cut off', 'log/tile/0/000.p/5', { base64: Buffer.alloc(159).toString('base64') }, 'root'],
    ['a bundle that is cut off', 'log/tile/entries/000.p/5', 'no bundle', 'root'],
    ['no checkpoint', 'log/checkpoint', 'hello\n', 'signature'],
  ])('sends %s', async (_, path, content, code) => {
    const reader = new Reader(mirror);
    reader.files[path] = content;
    const answer = await reader.check('tender', T, '--full');
    expect(answer).toMatchObject({ exit: 2 });
    expect(codesOf(answer)).toEqual([code]);
  });

  it('keeps a tile back', async () => {
    const reader = new Reader(mirror);
    delete reader.files['log/tile/0/000.p/5'];
    expect(await reader.check('tender', T)).toMatchObject({ exit: 3, findings: [{ code: 'withheld' }] });
  });

  it.each([
    ['log/tile/0/000.p/5', 500],
    ['log/tile/0/000.p/5', 302],
    ['log/tile/entries/000.p/5', 401],
  ])('does not withhold %s by the status %i', async (tile, status) => {
    const reader = new Reader(mirror);
    reader.answer = (path) => (path === tile ? new Response(null, { status }) : undefined);
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 1, findings: [], error: expect.stringContaining(`${tile}: ${status}`) });
  });

  it('sends another entry than the one in the tree', async () => {
    const reader = new Reader(mirror);
    const other = readMirror('bid-added').files['log/tile/entries/000.p/5'];
    reader.files['log/tile/entries/000.p/5'] = other ?? '';
    expect(codesOf(await reader.check('tender', T))).toEqual(['proof']);
    expect(codesOf(await reader.check('tender', T, '--full'))).toEqual(['root']);
  });

  it('cannot control the terminal', async () => {
    const reader = new Reader(mirror);
    reader.files['log/checkpoint'] = 'a\u001b[2J\u0007\n\u009b\u202e\n';
    await reader.run('trust', `${mirror.base}/log`, '--yes');
    for (const args of [['checkpoint'], ['--json', 'checkpoint']]) {
      const { printed } = await reader.run(...args);
      expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(printed).toContain('u001b[2J');
    }
    expect(printable('a\nb')).toBe(String.raw`a\u000ab`);
    expect(JSON.parse(printableJson('\u009b\u{e0001}"'))).toBe('\u009b\u{e0001}"');
  });
});
