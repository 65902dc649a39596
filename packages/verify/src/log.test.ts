import { join } from 'node:path';
import { signCheckpoint } from '@procurement/proof/checkpoints';
import { describe, expect, it } from 'vitest';
import { fixture, testSigner } from '../../proof/test-support/fixtures.ts';
import { buildCheckpoint, filesOfLog, madeEntries } from '../test-support/made-log.ts';
import { contentBytes, fileIn, writeLogFolder, honestWith, readMirror, Reader } from '../test-support/mirror.ts';

const honest = readMirror('honest');

describe('log', () => {
  const entries = madeEntries(600);
  const files = filesOfLog(entries);

  it('reads every entry and every tile, from the address and from a folder', async () => {
    const reader = new Reader(honestWith(files));
    expect(await reader.check('log')).toMatchObject({ exit: 0, size: 600 });
    expect(reader.asked).toContain('log/tile/1/000.p/2');
    expect(await reader.check('log', writeLogFolder(reader, 'copy', files))).toMatchObject({ exit: 0, size: 600 });
  });

  it.each([0, 1, 255, 256, 257, 512, 600])('gives the root of %i entries, and of no others', async (size) => {
    const reader = new Reader(honestWith(filesOfLog(entries.slice(0, size))));
    expect(await reader.check('log')).toMatchObject({ exit: 0, size, findings: [] });
    // Entries and tiles agree with each other, but the signed tree is another one.
    const other = new Reader(honestWith(filesOfLog(entries.slice(0, size))));
    other.files['log/checkpoint'] = buildCheckpoint(madeEntries(size + 1).slice(1));
    const finding = { code: 'root', about: `all ${size} entries` };
    expect(await other.check('log')).toMatchObject(size === 0 ? { exit: 0 } : { exit: 2, findings: [finding] });
  });

  it('judges a copy of yesterday by itself', async () => {
    const reader = new Reader({ ...honestWith(files), now: honest.now + 86_400 });
    reader.files['log/checkpoint'] = buildCheckpoint(entries, honest.now + 86_400);
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 600 });
    const copy = writeLogFolder(reader, 'copy', filesOfLog(entries.slice(0, 300)));
    expect(await reader.check('log', copy)).toMatchObject({ exit: 0, size: 300, findings: [] });
    expect(await reader.check('compare', copy, honest.base)).toMatchObject({ exit: 0 });
    expect(await reader.state.checkpoint(honest.base)).toBe(reader.files['log/checkpoint']);
  });

  it.each(['log/tile/0/001', 'log/tile/0/002.p/88', 'log/tile/1/000.p/2'])(
    'finds a changed byte in %s',
    async (path) => {
      const reader = new Reader(honestWith(files));
      const bytes = contentBytes(files[path] ?? '');
      bytes[17] = (bytes[17] ?? 0) ^ 1;
      reader.files[path] = { base64: bytes.toString('base64') };
      expect(await reader.check('log')).toMatchObject({ exit: 2, findings: [{ code: 'root', about: path.slice(4) }] });
    },
  );

  it('finds another entry', async () => {
    const reader = new Reader(honestWith(filesOfLog([...entries.slice(0, 99), 'procurement-log/2\n'])));
    expect(await reader.check('log')).toMatchObject({ exit: 2, findings: [{ code: 'entry', about: 'entry 99' }] });
  });
});

describe('compare', () => {
  const evidence =
    fixture<Record<'sameSize' | 'prefix', { readonly first: string; readonly second: string }>>('equivocation.json');
  const entries = madeEntries(400);

  it('finds two trees of one size', async () => {
    const reader = new Reader(honest);
    const { first, second } = evidence.sameSize;
    const [a, b] = [fileIn(reader, 'a', first), fileIn(reader, 'b', second)];
    expect(await reader.check('compare', a, b)).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
    expect(await reader.check('compare', a, a)).toMatchObject({ exit: 0 });
  });

  it('does not call two logs of one policy a fork', async () => {
    const signer = testSigner('other.example/log', 'another log');
    const reader = new Reader(honest);
    reader.files['log/policy'] = `log ${signer.verifier.vkey}\n${honest.policy}`;
    const checkpoint = { origin: signer.verifier.name, size: 5, root: Buffer.alloc(32) };
    const other = fileIn(reader, 'other', signCheckpoint(checkpoint, [signer]));
    expect(await reader.check('compare', other, honest.base)).toMatchObject({
      exit: 1,
      findings: [],
      error: 'these are checkpoints of two logs: other.example/log and procurement.example/log',
    });
  });

  it('finds that a file, a folder and an address are of one log, or of two', async () => {
    const reader = new Reader(honestWith(filesOfLog(entries)));
    const older = fileIn(reader, 'older', buildCheckpoint(entries.slice(0, 300)));
    const folder = writeLogFolder(reader, 'copy', filesOfLog(entries.slice(0, 390)));
    for (const pair of [
      [older, `${honest.base}/log`],
      [folder, `${honest.base}/log`],
      [`${honest.base}/log`, folder],
      [older, folder],
    ])
      expect(await reader.check('compare', ...pair), pair.join(' ')).toMatchObject({ exit: 0 });
    const other = fileIn(reader, 'other', buildCheckpoint(madeEntries(301).slice(1)));
    for (const second of [folder, `${honest.base}/log`])
      expect(await reader.check('compare', other, second)).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
  });

  it('takes the tree without entries for the beginning of every log', async () => {
    const reader = new Reader(honestWith(filesOfLog(entries)));
    const [none, all] = [fileIn(reader, 'none', buildCheckpoint([])), fileIn(reader, 'all', buildCheckpoint(entries))];
    expect(await reader.check('compare', none, all)).toMatchObject({ exit: 0 });
    const signer = testSigner('procurement.example/log', 'log');
    const wrong = signCheckpoint({ origin: 'procurement.example/log', size: 0, root: Buffer.alloc(32) }, [signer]);
    expect(await reader.check('compare', fileIn(reader, 'wrong', wrong), all)).toMatchObject({ exit: 2 });
  });

  it('does not call a fork what wrong tiles say', async () => {
    const reader = new Reader(honestWith(filesOfLog(entries)));
    const older = fileIn(reader, 'older', buildCheckpoint(entries.slice(0, 300)));
    reader.files['log/tile/1/000.p/1'] = { base64: Buffer.alloc(32).toString('base64') };
    const answer = await reader.check('compare', older, honest.base);
    expect(answer).toMatchObject({ exit: 2, findings: [{ code: 'root', about: 'tiles of 400 entries' }] });
  });

  it.each([
    ['a checkpoint that the log has not signed', 'hello\n'],
    ['sizes whose tiles nobody has', buildCheckpoint(entries)],
  ])('cannot compare %s', async (_, content) => {
    const reader = new Reader(honest);
    const [a, b] = [fileIn(reader, 'a', evidence.sameSize.first), fileIn(reader, 'b', content)];
    expect((await reader.check('compare', a, b)).exit).not.toBe(0);
    expect(await reader.check('compare', a, join(reader.home, 'nothing'))).toMatchObject({ exit: 1 });
  });
});
