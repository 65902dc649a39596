import { writeEntry, type Entry } from '@procurement/proof/entries';
import { unpackEntries } from '@procurement/proof/tiles';
import { describe, expect, it } from 'vitest';
import { buildCheckpoint, filesOfLog, filesOfTender, madeEntries, stateAt } from '../test-support/made-log.ts';
import { contentBytes, codesOf, fileIn, honestWith, readMirror, Reader } from '../test-support/mirror.ts';

const honest = readMirror('honest');
const T = honest.tender;

describe('tender', () => {
  it('asks again while the log is behind the view', async () => {
    const reader = new Reader(honest);
    const grown = readMirror('restored');
    const own = Object.entries(reader.files).filter(([path]) => path.startsWith('log/') || path.includes('/history'));
    reader.files = { ...grown.files, ...Object.fromEntries(own) };
    reader.answer = () => {
      if (reader.waits.length === 2) reader.files = { ...grown.files };
      return undefined;
    };
    expect(await reader.check('tender', T)).toMatchObject({ exit: 4, size: 8 });
    expect(reader.waits).toEqual([5_000, 5_000]);
  });

  it('gives up after two minutes', async () => {
    const reader = new Reader(readMirror('view-edited'));
    expect(codesOf(await reader.check('tender', T))).toEqual(['view']);
    expect(reader.waits.reduce((sum, ms) => sum + ms, 0)).toBe(120_000);
  });

  it('waits for the first checkpoint of a new log, for two minutes', async () => {
    const reader = new Reader(honest);
    reader.answer = (path) =>
      path === 'log/checkpoint' && reader.waits.length < 2 ? new Response('', { status: 404 }) : undefined;
    expect(await reader.check('tender', T)).toMatchObject({ exit: 0 });
    expect(reader.waits).toEqual([5_000, 5_000]);
    const { 'log/checkpoint': _, ...files } = honest.files;
    const silent = new Reader({ ...honest, files });
    expect(await silent.check('tender', T)).toMatchObject({ exit: 1, error: expect.stringContaining('no checkpoint') });
    expect(silent.waits.reduce((sum, ms) => sum + ms, 0)).toBe(120_000);
  });

  it('does not forget a fork while it asks again', async () => {
    const [entries, others] = [madeEntries(300), madeEntries(301).slice(1)];
    const reader = new Reader(honestWith(filesOfLog(entries)));
    await reader.check('checkpoint');
    const other = 'f'.repeat(32);
    const view = { [`api/2.5/tenders/${other}`]: '{"data":{}}' };
    reader.files = { ...reader.files, ...filesOfLog(others), ...view };
    reader.answer = () => {
      if (reader.waits.length > 0) reader.files = { ...honest.files, ...filesOfLog(entries) };
      return undefined;
    };
    const answer = await reader.check('tender', other);
    expect([answer.exit, codesOf(answer)]).toEqual([2, ['fork', 'view']]);
  });

  it('does not call a view forged when the checkpoint is old', async () => {
    const reader = new Reader({ ...readMirror('view-edited'), now: honest.now + 3_600 });
    expect(await reader.check('tender', T)).toMatchObject({ exit: 3 });
  });

  it.each([
    ['https://tenders.example.gov', 0],
    ['http://127.0.0.1:8080', 0],
    ['javascript:', 2],
  ])('goes from the stored text to links that begin with %s', async (base, exit) => {
    const reader = new Reader(honest);
    const path = `api/2.5/tenders/${T}`;
    reader.files[path] = contentBytes(reader.files[path] ?? '')
      .toString()
      .replaceAll('"http://127.0.0.1:8080/', `"${base}/`);
    expect((await reader.check('tender', T)).exit).toBe(exit);
    if (exit === 0)
      expect((await reader.run('tender', T)).printed.includes(`its links begin with ${base}`)).toBe(
        base !== honest.base,
      );
  });

  it.each([
    ['a state between logged ones that the log does not have', [1, 2, 3], 'revision-dropped', ['number', 'withheld']],
    ['states that were never listed', [1, 3], 'revision-dropped', ['number']],
  ])('judges %s', async (_, revisions, name, codes) => {
    const reader = new Reader(readMirror(name));
    reader.files[`api/2.5/tenders/${T}/history`] = JSON.stringify({ data: revisions.map((rev) => ({ rev })) });
    expect(codesOf(await reader.check('tender', T, '--full'))).toEqual(codes);
  });

  it('reads all pages of the history, from the address that was asked', async () => {
    const reader = new Reader(readMirror('redaction-unlogged'));
    const path = `api/2.5/tenders/${T}/history`;
    reader.files[`${path}?cursor=r2`] = reader.files[path] ?? '';
    reader.files[path] = JSON.stringify({ data: [{ rev: 3 }], next_page: { uri: 'http://other.example/x?cursor=r2' } });
    expect(codesOf(await reader.check('tender', T))).toEqual(['withheld']);
  });

  it.each([
    ['nothing else was removed', 1, 'redacted', 4],
    ['something else was changed', 1, 'redaction-incomplete', 2],
  ])('compares with the former text: %s', async (_, rev, name, exit) => {
    const reader = new Reader(readMirror(name));
    const former = fileIn(
      reader,
      'former',
      contentBytes(honest.files[`api/2.5/tenders/${T}/history/${rev}?exact=1`] ?? ''),
    );
    const answer = await reader.check('tender', T, '--former', former);
    expect(answer.exit).toBe(exit);
    const isClean = (await reader.run('tender', T, '--former', former)).printed.includes('nothing else was removed');
    expect(isClean).toBe(exit === 4);
  });

  it('finds by the former text that something else was changed', async () => {
    const reader = new Reader(readMirror('redacted'));
    const published = contentBytes(honest.files[`api/2.5/tenders/${T}/history/1?exact=1`] ?? '').toString();
    const text = published.replace('Toilet', 'Carbon');
    const answer = await reader.check('tender', T, '--former', fileIn(reader, 'former', text));
    expect([answer.exit, codesOf(answer)]).toEqual([2, ['redacted', 'redaction']]);
  });

  it('reads all of the log before it calls a state lost that a restore made void', async () => {
    const { files } = readMirror('restored');
    const entries = unpackEntries(contentBytes(files['log/tile/entries/000.p/8'] ?? '')) ?? [];
    const reader = new Reader(honestWith(filesOfLog(entries.slice(0, 7).map(String))));
    reader.files[`log/tenders/${T}`] = files[`log/tenders/${T}`] ?? '';
    expect(await reader.check('tender', T)).toMatchObject({ exit: 4, size: 7, findings: [{ code: 'restored' }] });
    expect(reader.waits).toEqual([]);
  });

  it('calls a tender lost whose only state a restore made void, and which is not shown', async () => {
    const state = stateAt(0, 'lost', { kind: 'publication', tender: T, rev: 1n, position: 2_000_000n, number: 1n });
    const restore: Entry = { kind: 'restore', epoch: 2n, to: 1_000_000n, began: 3_000_000n };
    const reader = new Reader(honestWith(filesOfLog([state, restore].map(writeEntry))));
    for (const path of Object.keys(reader.files)) if (path.includes(T)) delete reader.files[path];
    const answer = await reader.check('tender', T);
    expect([answer.exit, codesOf(answer)]).toEqual([4, ['restored']]);
  });

  it('is compared with its newest text, also where that is no tender', async () => {
    const entries = [
      writeEntry(stateAt(0, 'not JSON', { kind: 'baseline', tender: T, rev: 1n, position: 1_000_000n })),
    ];
    const files = filesOfTender(T, [{ index: 0, rev: 1, text: 'not JSON' }]);
    const reader = new Reader(honestWith({ ...filesOfLog(entries), ...files }));
    expect(codesOf(await reader.check('tender', T))).toEqual([]);
    reader.files[`api/2.5/tenders/${T}`] = honest.files[`api/2.5/tenders/${T}`] ?? '';
    expect(codesOf(await reader.check('tender', T))).toEqual(['view']);
  });

  it('reads each tile and each bundle once', async () => {
    const tender = '5'.padStart(32, '0');
    const states = [5, 102, 199, 296, 393, 490, 587].map((index, at) => ({
      index,
      rev: at + 1,
      text: `text ${index}`,
    }));
    const reader = new Reader(honestWith({ ...filesOfLog(madeEntries(600)), ...filesOfTender(tender, states) }));
    expect(await reader.check('tender', tender)).toMatchObject({ exit: 0, findings: [] });
    const tiles = reader.asked.filter((path) => path.startsWith('log/tile/'));
    expect(tiles.filter((path) => path.includes('entries'))).toHaveLength(3);
    expect(new Set(tiles).size).toBe(tiles.length);
  });

  it('is proven with a loss only where a restore has touched it (T8)', async () => {
    const [touched, other] = ['a'.repeat(32), 'b'.repeat(32)];
    const state = (index: number, tender: string, rev: number, position: bigint, number?: bigint) =>
      writeEntry(
        stateAt(index, `text ${index}`, {
          tender,
          rev: BigInt(rev),
          position,
          ...(number === undefined ? { kind: 'baseline' } : { kind: 'publication', number }),
        }),
      );
    const before = [
      state(0, touched, 1, 1n),
      state(1, other, 1, 2n),
      state(2, other, 2, 3n, 7n),
      state(3, touched, 2, 9n, 8n),
    ];
    const restore = writeEntry({ kind: 'restore', epoch: 1n, to: 5n, began: 20n });
    const entries = [...before, restore, state(5, touched, 2, 21n, 8n)];
    const reader = new Reader(honestWith(filesOfLog(before)));
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 4 });
    reader.files = {
      ...honest.files,
      ...filesOfLog(entries),
      ...filesOfTender(touched, [
        { index: 0, rev: 1, text: 'text 0' },
        { index: 3, rev: 2, text: 'text 3' },
        { index: 5, rev: 2, text: 'text 5' },
      ]),
      ...filesOfTender(other, [
        { index: 1, rev: 1, text: 'text 1' },
        { index: 2, rev: 2, text: 'text 2' },
      ]),
    };
    for (const options of [[], ['--full']]) {
      const answer = await reader.check('tender', touched, ...options);
      expect([answer.exit, codesOf(answer)]).toEqual([4, ['restored']]);
      expect(await reader.check('tender', other, ...options)).toMatchObject({ exit: 0, size: 6, findings: [] });
    }
  });

  it.each([
    [[], 0, []],
    [['--full'], 3, ['withheld']],
  ])('has a state that neither the log nor the history names: %j', async (options, exit, codes) => {
    const reader = new Reader(honest);
    const leaves: { readonly leaves: readonly { readonly rev: number }[] } = JSON.parse(
      contentBytes(honest.files[`log/tenders/${T}`] ?? '').toString(),
    );
    reader.files[`log/tenders/${T}`] = JSON.stringify({ leaves: leaves.leaves.filter(({ rev }) => rev !== 2) });
    reader.files[`api/2.5/tenders/${T}/history`] = '{"data":[{"rev":1},{"rev":3}]}';
    const answer = await reader.check('tender', T, ...options);
    expect([answer.exit, codesOf(answer)]).toEqual([exit, codes]);
  });

  it('is shown without its log', async () => {
    const reader = new Reader(honest);
    const other = 'f'.repeat(32);
    expect(await reader.check('tender', other)).toMatchObject({ exit: 3, findings: [{ code: 'withheld' }] });
    reader.files[`api/2.5/tenders/${other}`] = '{"data":{}}';
    expect(await reader.check('tender', other)).toMatchObject({ exit: 2, findings: [{ code: 'view' }] });
    expect(await reader.check('tender', 'x')).toMatchObject({ exit: 1 });
  });

  it('is a draft', async () => {
    const reader = new Reader(honest);
    const draft = 'd'.repeat(32);
    reader.files[`api/2.5/tenders/${draft}`] = '{"data":{"status":"draft"}}';
    for (const options of [[], ['--full']])
      expect(await reader.check('tender', draft, ...options)).toMatchObject({
        exit: 1,
        findings: [],
        error: 'the tender is a draft: drafts are not in the log',
      });
    expect(reader.waits).toEqual([]);
  });

  it('is no draft when the log has it, also where its entries are not named', async () => {
    const reader = new Reader(honest);
    reader.files[`log/tenders/${T}`] = '{"leaves":[]}';
    reader.files[`api/2.5/tenders/${T}`] = '{"data":{"status":"draft"}}';
    expect(codesOf(await reader.check('tender', T))).toEqual(['view', 'withheld']);
  });

  it('warns of a history that begins with a baseline, and of test tenders', async () => {
    const text = JSON.stringify({ data: { id: T, mode: 'test' } });
    const entries = madeEntries(300);
    entries[0] = writeEntry(stateAt(0, text, { kind: 'baseline', tender: T, rev: 4n, position: 1_000_000n }));
    const reader = new Reader(
      honestWith({ ...filesOfLog(entries), ...filesOfTender(T, [{ index: 0, rev: 4, text }]) }),
    );
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 0, size: 300 });
    expect(answer.warnings).toEqual([
      'the history in the log begins with state 4: what was before is not proven',
      'this is a tender for tests (mode: test)',
    ]);
  });

  it('finds a fork in the checkpoint that a witness signed first', async () => {
    const reader = new Reader(honest);
    expect(await reader.check('opening', T)).toMatchObject({ exit: 0 });
    reader.files['log/checkpoints/3'] = buildCheckpoint(madeEntries(4));
    expect(await reader.check('opening', T)).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
  });
});
