import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { signCheckpoint } from '@procurement/proof/checkpoints';
import { writeEntry } from '@procurement/proof/entries';
import { entriesOf } from '@procurement/proof/tiles';
import { describe, expect, it } from 'vitest';
import { fixture, receiptVectors, testSigner } from '../../proof/test-support/fixtures.ts';
import { checkpointOf, filesOfLog, filesOfTender, madeEntries, stateAt } from '../test-support/made-log.ts';
import { bytesOf, codesOf, mirrorOf, Reader, type JsonAnswer, type Mirror } from '../test-support/mirror.ts';

const honest = mirrorOf('honest');
const T = honest.tender;

function fileIn(reader: Reader, name: string, content: string | Uint8Array): string {
  const path = join(reader.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A copy of the log, as a reader may make it with wget. */
function folderOf(reader: Reader, name: string, files: Mirror['files']): string {
  for (const [path, content] of Object.entries(files))
    if (path.startsWith('log/')) fileIn(reader, join(name, path.slice(4)), bytesOf(content));
  return join(reader.home, name);
}

const mirrorWith = (files: Mirror['files']): Mirror => ({ ...honest, files: { ...honest.files, ...files } });

describe('trust', () => {
  it('shows keys and pins them when a person agrees', async () => {
    const reader = new Reader(honest);
    expect((await reader.run('checkpoint')).exit).toBe(1);
    reader.agrees = false;
    expect((await reader.run('trust', `${honest.base}/log`)).exit).toBe(1);
    expect((await reader.run('checkpoint')).exit).toBe(1);
    reader.agrees = true;
    const { exit, printed } = await reader.run('trust', `${honest.base}/log/`);
    expect(exit).toBe(0);
    expect(printed).toContain('witness one: witness-one.example/w\n  SHA-256 of its key ');
    expect((await reader.run('checkpoint')).exit).toBe(0);
  });

  it('says when the log suggests another policy', async () => {
    const reader = new Reader(honest);
    await reader.check('checkpoint');
    reader.files['log/policy'] = honest.policy.replace('quorum any-witness', 'quorum none');
    expect((await reader.run('trust', honest.base, '--yes')).printed).toContain('another policy');
    const answer = await reader.check('checkpoint');
    expect(answer.warnings).toEqual(['the policy needs no witness: other readers may be shown another log']);
  });

  it.each([
    ['keys that the log has not signed', 'log/keys', `procurement-keys/1\nreceipts x\n\n`],
    ['no policy', 'log/policy', 'quorum none\n'],
  ])('refuses %s', async (_, path, content) => {
    const reader = new Reader(honest);
    reader.files[path] = content;
    const { exit, printed } = await reader.run('trust', honest.base, '--yes');
    expect([exit, printed]).toEqual([1, expect.stringMatching(/^COULD NOT CHECK: [^\n]*log\/(?:keys|policy)/)]);
  });

  it.each(['ftp://x/log', 'x', 'http://user@x/log'])('refuses the address %s', async (address) => {
    expect((await new Reader(honest).run('trust', address, '--yes')).exit).toBe(1);
  });

  it('takes a policy of the reader instead', async () => {
    const reader = new Reader(honest);
    const policy = fileIn(
      reader,
      'policy',
      honest.policy.replace('quorum any-witness', 'group both all one two\nquorum both'),
    );
    const log = ['--log', `${honest.base}/log`, '--policy', policy];
    expect((await reader.run(...log, 'tender', T)).exit).toBe(0);
    expect((await reader.run(...log.slice(0, 2), 'tender', T)).exit).toBe(1);
    expect((await reader.run(...log.slice(0, 3), `${policy}.lost`, 'tender', T)).exit).toBe(1);
  });
});

describe('checkpoint', () => {
  it('says how old the newest cosignature is', async () => {
    const old = new Reader({ ...honest, now: honest.now + 3_600 });
    expect(await old.check('checkpoint')).toMatchObject({ exit: 3, findings: [{ code: 'stale' }] });
    const early = new Reader({ ...honest, now: honest.now - 3_600 });
    expect(await early.check('checkpoint')).toMatchObject({ exit: 3, findings: [{ code: 'stale' }] });
  });

  const [none, any] = ['quorum none', 'quorum any-witness'];
  const both = 'group both all one two\nquorum both';
  it.each<[about: string, quorum: string, ages: readonly number[], codes: readonly string[]]>([
    ['fresh, by the one that is needed', any, [5, -3_600], []],
    ['old, though the clock of one is ahead', both, [3_600, 5], ['stale']],
    ['fresh and early', both, [5, -3_600], ['stale']],
    ['fresh, where fewer have signed than are needed', both, [5], ['quorum']],
    ['old, where fewer have signed than are needed', both, [3_600], ['quorum', 'stale']],
    ['fresh, where none is needed', none, [5, 3_600], []],
    ['old, where none is needed', none, [3_600], ['stale']],
  ])('is seen by witnesses: %s (%s, %j seconds ago)', async (_, quorum, ages, codes) => {
    const entries = madeEntries(300);
    const note = checkpointOf(entries, ...ages.map((age) => honest.now - age));
    const reader = new Reader(mirrorWith({ ...filesOfLog(entries), 'log/checkpoint': note }));
    reader.files['log/policy'] = honest.policy.replace('quorum any-witness', quorum);
    expect(codesOf(await reader.check('checkpoint'))).toEqual(codes);
  });

  it('keeps what it has seen, and finds a log that went on, went back, or is another one', async () => {
    const entries = madeEntries(600);
    const reader = new Reader(mirrorWith(filesOfLog(entries.slice(0, 300))));
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 300 });
    reader.files = { ...reader.files, ...filesOfLog(entries) };
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 600 });
    // An old copy of an honest log, which still has the tiles.
    reader.files['log/checkpoint'] = checkpointOf(entries.slice(0, 300));
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 3, findings: [{ code: 'stale' }] });
    // A log that was rolled back: the tiles of what it had signed are gone.
    reader.files = { ...honest.files, ...filesOfLog(entries.slice(0, 300)) };
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
    // It goes on with other entries. The kept checkpoint is still that of 600.
    const others = [...entries.slice(0, 300), ...madeEntries(700).slice(350)];
    reader.files = { ...honest.files, ...filesOfLog(others) };
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
    const folder = readdirSync(reader.home).find((name) => /^[0-9a-f]{16}$/.test(name)) ?? '';
    const evidence = readdirSync(join(reader.home, folder)).filter((name) => name.startsWith('equivocation-'));
    expect(evidence).toHaveLength(1);
    const path = join(reader.home, folder, evidence[0] ?? '');
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      proof: expect.any(Array),
      rootInSecond: expect.any(String),
    });
  });

  it('keeps a checkpoint in place of one of other keys, also of a larger one', async () => {
    const reader = new Reader(honest);
    const root = Buffer.alloc(32);
    const former = testSigner('procurement.example/log', 'a former key');
    reader.state.keepCheckpoint(
      honest.base,
      signCheckpoint({ origin: 'procurement.example/log', size: 1_000, root }, [former]),
    );
    expect((await reader.check('checkpoint')).warnings).toEqual([
      'the kept checkpoint was signed by other keys than those that are trusted now',
    ]);
    expect(await reader.state.checkpoint(honest.base)).toBe(honest.files['log/checkpoint']);
    expect((await reader.check('checkpoint')).warnings).toEqual([]);
  });

  it('does not call a server that answers nothing a fork', async () => {
    const entries = madeEntries(300);
    const reader = new Reader(mirrorWith(filesOfLog(entries)));
    await reader.check('checkpoint');
    reader.files['log/checkpoint'] = checkpointOf(entries.slice(0, 200));
    reader.answer = (path) => (path.startsWith('log/tile/') ? new Response(null, { status: 503 }) : undefined);
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 3, findings: [{ code: 'withheld' }] });
  });
});

describe('a home that cannot be written', () => {
  it.each([
    ['checkpoint', 'log/checkpoint', 'hello\n', 'signature', 'evidence'],
    ['tender', `api/2.5/tenders/${T}`, '{}', 'view', 'checkpoint'],
  ])('does not change what %s finds', async (command, path, forged, code, notKept) => {
    const reader = new Reader(honest);
    const home = fileIn(reader, 'file', 'this is no folder');
    const policy = fileIn(reader, 'policy', honest.policy);
    reader.files[path] = forged;
    const args = ['--json', '--home', home, '--log', honest.base, '--policy', policy, command];
    const { exit, printed } = await reader.run(...args, ...(command === 'tender' ? [T] : []));
    const answer: JsonAnswer = JSON.parse(printed);
    expect([exit, codesOf(answer)]).toEqual([2, [code]]);
    expect(answer.warnings).toContainEqual(expect.stringMatching(`^the ${notKept} was not kept: `));
    expect(answer.warnings).toContainEqual(expect.stringMatching('^the evidence was not kept: '));
  });
});

describe('tender', () => {
  it('asks again while the log is behind the view', async () => {
    const reader = new Reader(honest);
    const grown = mirrorOf('restored');
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
    const reader = new Reader(mirrorOf('view-edited'));
    expect(codesOf(await reader.check('tender', T))).toEqual(['view']);
    expect(reader.waits.reduce((sum, ms) => sum + ms, 0)).toBe(120_000);
  });

  it('does not forget a fork while it asks again', async () => {
    const [entries, others] = [madeEntries(300), madeEntries(301).slice(1)];
    const reader = new Reader(mirrorWith(filesOfLog(entries)));
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
    const reader = new Reader({ ...mirrorOf('view-edited'), now: honest.now + 3_600 });
    expect(await reader.check('tender', T)).toMatchObject({ exit: 3 });
  });

  it.each([
    ['https://tenders.example.gov', 0],
    ['http://127.0.0.1:8080', 0],
    ['javascript:', 2],
  ])('goes from the stored text to links that begin with %s', async (base, exit) => {
    const reader = new Reader(honest);
    const path = `api/2.5/tenders/${T}`;
    reader.files[path] = bytesOf(reader.files[path] ?? '')
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
    const reader = new Reader(mirrorOf(name));
    reader.files[`api/2.5/tenders/${T}/history`] = JSON.stringify({ data: revisions.map((rev) => ({ rev })) });
    expect(codesOf(await reader.check('tender', T, '--full'))).toEqual(codes);
  });

  it('reads all pages of the history, from the address that was asked', async () => {
    const reader = new Reader(mirrorOf('redaction-unlogged'));
    const path = `api/2.5/tenders/${T}/history`;
    reader.files[`${path}?cursor=r2`] = reader.files[path] ?? '';
    reader.files[path] = JSON.stringify({ data: [{ rev: 3 }], next_page: { uri: 'http://other.example/x?cursor=r2' } });
    expect(codesOf(await reader.check('tender', T))).toEqual(['withheld']);
  });

  it.each([
    ['nothing else was removed', 1, 'redacted', 4],
    ['something else was changed', 1, 'redaction-incomplete', 2],
  ])('compares with the former text: %s', async (_, rev, name, exit) => {
    const reader = new Reader(mirrorOf(name));
    const former = fileIn(reader, 'former', bytesOf(honest.files[`api/2.5/tenders/${T}/history/${rev}?exact=1`] ?? ''));
    const answer = await reader.check('tender', T, '--former', former);
    expect(answer.exit).toBe(exit);
    const isClean = (await reader.run('tender', T, '--former', former)).printed.includes('nothing else was removed');
    expect(isClean).toBe(exit === 4);
  });

  it('reads all of the log before it calls a state lost that a restore made void', async () => {
    const { files } = mirrorOf('restored');
    const entries = entriesOf(bytesOf(files['log/tile/entries/000.p/8'] ?? '')) ?? [];
    const reader = new Reader(mirrorWith(filesOfLog(entries.slice(0, 7).map(String))));
    reader.files[`log/tenders/${T}`] = files[`log/tenders/${T}`] ?? '';
    expect(await reader.check('tender', T)).toMatchObject({ exit: 4, size: 7, findings: [{ code: 'restored' }] });
    expect(reader.waits).toEqual([]);
  });

  it('is compared with its newest text, also where that is no tender', async () => {
    const entries = [
      writeEntry(stateAt(0, 'not JSON', { kind: 'baseline', tender: T, rev: 1n, position: 1_000_000n })),
    ];
    const files = filesOfTender(T, [{ index: 0, rev: 1, text: 'not JSON' }]);
    const reader = new Reader(mirrorWith({ ...filesOfLog(entries), ...files }));
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
    const reader = new Reader(mirrorWith({ ...filesOfLog(madeEntries(600)), ...filesOfTender(tender, states) }));
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
    const reader = new Reader(mirrorWith(filesOfLog(before)));
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
      String(honest.files[`log/tenders/${T}`]),
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
      mirrorWith({ ...filesOfLog(entries), ...filesOfTender(T, [{ index: 0, rev: 4, text }]) }),
    );
    const answer = await reader.check('tender', T);
    expect(answer).toMatchObject({ exit: 0, size: 300 });
    expect(answer.warnings).toEqual([
      'the history in the log begins with state 4: what was before is not proven',
      'this is a tender for tests (mode: test)',
    ]);
  });
});

describe('receipt', () => {
  it.each(receiptVectors.cases)('judges $what', async ({ header, note, findings, exit }) => {
    const reader = new Reader(honest);
    for (const content of [`${header}\n`, note]) {
      const answer = await reader.check('receipt', fileIn(reader, 'receipt', content));
      expect({ findings: codesOf(answer), exit: answer.exit }).toEqual({ findings, exit });
    }
    const before = reader.asked.length;
    expect((await reader.run('receipt', join(reader.home, 'receipt'), '--offline')).exit).toBe(0);
    expect(reader.asked).toHaveLength(before);
  });

  it.each(receiptVectors.refused)('refuses $what', async ({ header }) => {
    const reader = new Reader(honest);
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', header), '--offline');
    expect(answer).toMatchObject({ exit: 2, findings: [{ code: 'signature' }] });
  });

  it('compares the text of the bid', async () => {
    const reader = new Reader(honest);
    const receipt = fileIn(reader, 'receipt', receiptVectors.cases[0]?.header ?? '');
    const good = await reader.check('receipt', receipt, '--text', fileIn(reader, 'bid', receiptVectors.text));
    expect(good.exit).toBe(0);
    const bad = await reader.check('receipt', receipt, '--text', fileIn(reader, 'bid', `${receiptVectors.text} `));
    expect(bad).toMatchObject({ exit: 2, findings: [{ code: 'text' }] });
  });

  it('is not proven before the opening', async () => {
    const reader = new Reader(honest);
    delete reader.files[`api/2.5/tenders/${T}/bids_seal`];
    const answer = await reader.check('receipt', fileIn(reader, 'receipt', receiptVectors.cases[0]?.header ?? ''));
    expect(answer).toMatchObject({ exit: 3, findings: [{ code: 'withheld' }] });
  });
});

describe('log', () => {
  const entries = madeEntries(600);
  const files = filesOfLog(entries);

  it('reads every entry and every tile, from the address and from a folder', async () => {
    const reader = new Reader(mirrorWith(files));
    expect(await reader.check('log')).toMatchObject({ exit: 0, size: 600 });
    expect(reader.asked).toContain('log/tile/1/000.p/2');
    expect(await reader.check('log', folderOf(reader, 'copy', files))).toMatchObject({ exit: 0, size: 600 });
  });

  it.each([0, 1, 255, 256, 257, 512, 600])('gives the root of %i entries, and of no others', async (size) => {
    const reader = new Reader(mirrorWith(filesOfLog(entries.slice(0, size))));
    expect(await reader.check('log')).toMatchObject({ exit: 0, size, findings: [] });
    // Entries and tiles agree with each other, but the signed tree is another one.
    const other = new Reader(mirrorWith(filesOfLog(entries.slice(0, size))));
    other.files['log/checkpoint'] = checkpointOf(madeEntries(size + 1).slice(1));
    const finding = { code: 'root', about: `all ${size} entries` };
    expect(await other.check('log')).toMatchObject(size === 0 ? { exit: 0 } : { exit: 2, findings: [finding] });
  });

  it('judges a copy of yesterday by itself', async () => {
    const reader = new Reader({ ...mirrorWith(files), now: honest.now + 86_400 });
    reader.files['log/checkpoint'] = checkpointOf(entries, honest.now + 86_400);
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 600 });
    const copy = folderOf(reader, 'copy', filesOfLog(entries.slice(0, 300)));
    expect(await reader.check('log', copy)).toMatchObject({ exit: 0, size: 300, findings: [] });
    expect(await reader.check('compare', copy, honest.base)).toMatchObject({ exit: 0 });
    expect(await reader.state.checkpoint(honest.base)).toBe(reader.files['log/checkpoint']);
  });

  it.each(['log/tile/0/001', 'log/tile/0/002.p/88', 'log/tile/1/000.p/2'])(
    'finds a changed byte in %s',
    async (path) => {
      const reader = new Reader(mirrorWith(files));
      const bytes = bytesOf(files[path] ?? '');
      bytes[17] = (bytes[17] ?? 0) ^ 1;
      reader.files[path] = { base64: bytes.toString('base64') };
      expect(await reader.check('log')).toMatchObject({ exit: 2, findings: [{ code: 'root', about: path.slice(4) }] });
    },
  );

  it('finds another entry', async () => {
    const reader = new Reader(mirrorWith(filesOfLog([...entries.slice(0, 99), 'procurement-log/2\n'])));
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
    const reader = new Reader(mirrorWith(filesOfLog(entries)));
    const older = fileIn(reader, 'older', checkpointOf(entries.slice(0, 300)));
    const folder = folderOf(reader, 'copy', filesOfLog(entries.slice(0, 390)));
    for (const pair of [
      [older, `${honest.base}/log`],
      [folder, `${honest.base}/log`],
      [`${honest.base}/log`, folder],
      [older, folder],
    ])
      expect(await reader.check('compare', ...pair), pair.join(' ')).toMatchObject({ exit: 0 });
    const other = fileIn(reader, 'other', checkpointOf(madeEntries(301).slice(1)));
    for (const second of [folder, `${honest.base}/log`])
      expect(await reader.check('compare', other, second)).toMatchObject({ exit: 2, findings: [{ code: 'fork' }] });
  });

  it.each([
    ['a checkpoint that the log has not signed', 'hello\n'],
    ['sizes whose tiles nobody has', checkpointOf(entries)],
  ])('cannot compare %s', async (_, content) => {
    const reader = new Reader(honest);
    const [a, b] = [fileIn(reader, 'a', evidence.sameSize.first), fileIn(reader, 'b', content)];
    expect((await reader.check('compare', a, b)).exit).not.toBe(0);
    expect(await reader.check('compare', a, join(reader.home, 'nothing'))).toMatchObject({ exit: 1 });
  });
});

describe('the command line', () => {
  it.each([[['beat']], [['tender']], [['--beat', 'log']], [['compare', 'a']]])('refuses %j', async (args) => {
    expect((await new Reader(honest).run(...args)).exit).toBe(1);
  });

  it('explains itself', async () => {
    const { exit, printed } = await new Reader(honest).run('--help');
    expect([exit, printed]).toEqual([0, expect.stringContaining('opening <id>')]);
  });
});
