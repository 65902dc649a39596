import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { signCheckpoint } from '@procurement/proof/checkpoints';
import { describe, expect, it } from 'vitest';
import { testSigner } from '../../proof/test-support/fixtures.ts';
import { buildCheckpoint, filesOfLog, madeEntries } from '../test-support/made-log.ts';
import { codesOf, fileIn, honestWith, readMirror, Reader, type JsonAnswer } from '../test-support/mirror.ts';

const honest = readMirror('honest');
const T = honest.tender;

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
    const note = buildCheckpoint(entries, ...ages.map((age) => honest.now - age));
    const reader = new Reader(honestWith({ ...filesOfLog(entries), 'log/checkpoint': note }));
    reader.files['log/policy'] = honest.policy.replace('quorum any-witness', quorum);
    expect(codesOf(await reader.check('checkpoint'))).toEqual(codes);
  });

  it('keeps what it has seen, and finds a log that went on, went back, or is another one', async () => {
    const entries = madeEntries(600);
    const reader = new Reader(honestWith(filesOfLog(entries.slice(0, 300))));
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 300 });
    reader.files = { ...reader.files, ...filesOfLog(entries) };
    expect(await reader.check('checkpoint')).toMatchObject({ exit: 0, size: 600 });
    // An old copy of an honest log, which still has the tiles.
    reader.files['log/checkpoint'] = buildCheckpoint(entries.slice(0, 300));
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
    const reader = new Reader(honestWith(filesOfLog(entries)));
    await reader.check('checkpoint');
    reader.files['log/checkpoint'] = buildCheckpoint(entries.slice(0, 200));
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

describe('the command line', () => {
  it.each([[['beat']], [['tender']], [['--beat', 'log']], [['compare', 'a']]])('refuses %j', async (args) => {
    expect((await new Reader(honest).run(...args)).exit).toBe(1);
  });

  it('explains itself', async () => {
    const { exit, printed } = await new Reader(honest).run('--help');
    expect([exit, printed]).toEqual([0, expect.stringContaining('opening <id>')]);
  });
});
