import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_ORIGIN } from '@procurement/local-stack/log-origin';
import { freePort } from '@procurement/local-stack/ports';
import { loadOrCreateSecrets } from '@procurement/local-stack/secrets';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { removeData } from '@procurement/local-stack/user';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { patientBroker } from '../test/support/broker.ts';
import { PATIENCE } from '../test/support/patience.ts';
import { runIn, VERIFIER } from '../test/support/procurement-program.ts';
import { publish } from '../test/support/published-tender.ts';
import { minimalTender } from '../test/support/request-bodies.ts';
import { ROOT } from './deploy/repository.ts';

// The public log before programs that are not ours (docs/spec/proof.md 7): fsck of Tessera and the code of Go's checksum database read
// it, litewitness signs it, through kills of its writers, and refuses a fork.

const FSCK = 'github.com/transparency-dev/tessera/cmd/fsck@v1.0.4';
const LITEWITNESS = 'filippo.io/torchwood/cmd/litewitness@v0.6.1';
const WITNESSCTL = 'filippo.io/torchwood/cmd/witnessctl@v0.6.1';
const LOG_CHECK = join(ROOT, 'test/foreign/log');

const VERIFY = [process.execPath, VERIFIER];
const WITNESS = 'witness.example/1';
const PROVEN = /^PROVEN$/m;
/** Tenders and changes of each: 280 entries, more than the 256 of a tile. */
const [TENDERS, CHANGES] = [20, 13];
/** Six entries are published meanwhile each time. So there are two full tiles, their parent, and tiles of the rest. */
const KILLS = 50;
/** Files of the log. A reader must see a changed bit in each. */
const CHANGED_FILES = ['/tile/entries/000', '/tile/0/000', '/tile/0/002.p', '/tile/1/000.p'];

/** Builds a program by `go install` with these words. Returns its path. */
type Build = (name: string, ...words: readonly string[]) => string;
type Programs = Readonly<Record<'fsck' | 'logCheck' | 'litewitness' | 'witnessctl', string>>;

/** A running system, and the folder with its data and all that is written here. */
interface Place {
  readonly stack: Stack;
  readonly log: string;
  readonly home: string;
}

/** Tests the log of a system of its own. Without Go or its module proxy it says so and tests nothing. */
export async function testPublicLog(build: Build): Promise<void> {
  const { status } = spawnSync('go', ['mod', 'download'], { cwd: LOG_CHECK, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    console.log('skipped: no Go, or no module proxy, for the programs that read the public log');
    return;
  }
  const programs = {
    fsck: build('fsck', FSCK),
    logCheck: build('log-check', '-C', LOG_CHECK, '.'),
    litewitness: build('litewitness', LITEWITNESS),
    witnessctl: build('witnessctl', WITNESSCTL),
  };
  const home = mkdtempSync(join(tmpdir(), 'procurement-real-log-'));
  const children: ChildProcess[] = [];
  let stack: Stack | undefined;
  try {
    const witness = await startWitness(home, programs, children);
    const env = { ...PATIENCE, LEDGER_INTERVAL_MS: '1000', LEDGER_WITNESSES: `first ${witness.vkey} ${witness.url}` };
    stack = await startStack({ dataDir: home, durable: false, env });
    const place = { stack, log: `${stack.gatewayUrl}/log`, home };
    await beWitnessed(place, programs);
    await refuseFork(place);
    await publishTenders(place, TENDERS, CHANGES);
    await awaitCheckpoint(place, TENDERS * (1 + CHANGES), WITNESS);
    await surviveKills(place);
    await run(home, [...VERIFY, 'checkpoint'], PROVEN);
    await run(home, [...VERIFY, 'log'], PROVEN);
    await readByOthers(place, programs);
  } finally {
    await stack?.stop();
    for (const child of children) child.kill();
    removeData(home);
  }
}

/** Starts litewitness, with its key in an agent of its own. It knows no log yet. */
async function startWitness(
  home: string,
  { litewitness }: Programs,
  children: ChildProcess[],
): Promise<{ readonly vkey: string; readonly url: string }> {
  await run(home, ['ssh-keygen', '-t', 'ed25519', '-N', '', '-f', 'witness'], /has been saved/);
  const [key = ''] = await run(home, ['ssh-keygen', '-l', '-f', 'witness'], /SHA256:\S+/);
  const socket = join(home, 'agent');
  children.push(spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' }));
  await waitFor(() => existsSync(socket), { what: 'ssh-agent' });
  await run(home, ['env', `SSH_AUTH_SOCK=${socket}`, 'ssh-add', 'witness'], /^Identity added/);
  const address = `127.0.0.1:${await freePort()}`;
  const words = ['-db', 'witness.db', '-name', WITNESS, '-ssh-agent', socket, '-key', key, '-listen', address];
  children.push(spawn(litewitness, words, { cwd: home, stdio: 'ignore' }));
  const url = `http://${address}`;
  // Its page tells its key.
  const vkey = await waitFor(async () => /^witness\.example\/1\+\S+$/m.exec(await textAt(url))?.[0], {
    what: 'litewitness',
  });
  return { vkey, url };
}

/** Readers ask for a witness, which signs as soon as it knows the log. */
async function beWitnessed(place: Place, { witnessctl }: Programs): Promise<void> {
  const { log, home, stack } = place;
  const tender = await publishTenders(place, 2);
  writeFileSync(join(home, 'old'), await awaitCheckpoint(place, 2, LOG_ORIGIN));
  await run(home, [...VERIFY, 'trust', log, '--yes'], /^quorum witnesses$/m);
  await run(home, [...VERIFY, 'checkpoint'], /^NOT PROVEN: quorum$/m, 3);
  const known = ['-db', 'witness.db', '-origin', LOG_ORIGIN];
  await run(home, [witnessctl, 'add-log', ...known], /Added log/);
  await run(home, [witnessctl, 'add-key', ...known, '-key', stack.logVkey], /Added key/);
  await publishTenders(place, 1);
  await awaitCheckpoint(place, 3, WITNESS);
  await run(home, [...VERIFY, 'tender', tender], PROVEN);
}

/** A second log with the same key and other entries, for some readers (T7): the witness refuses it, it halts, and the first one goes on. */
async function refuseFork({ stack, log, home }: Place): Promise<void> {
  const { postgres, ledger } = (await loadOrCreateSecrets(home)).databasePasswords;
  const databases = `127.0.0.1:${stack.ports.postgres}`;
  await query(`postgresql://postgres:${postgres}@${databases}/postgres`, 'CREATE DATABASE fork OWNER ledger');
  const DATABASE_URL = `postgresql://ledger:${ledger}@${databases}/fork`;
  const settings = { DATABASE_URL, LEDGER_STORE: `folder:${join(home, 'fork')}` };
  await stack.parts.ledger.stop();
  // It has baselines of more tenders than the first log has entries: a smaller log would be refused for its size.
  await publishTenders({ stack, log, home }, 2);
  const forked = await stack.addReplica('ledger', { ...settings, LEDGER_WITNESSES: '' });
  const gateway = await stack.addReplica('gateway', { LEDGER_URL: forked.url });
  await awaitCheckpoint({ stack, log: `${gateway.url}/log`, home }, 5, LOG_ORIGIN);
  await run(home, [...VERIFY, 'compare', 'old', gateway.url], /^CONTRADICTION: fork/m, 2);
  await Promise.all([gateway.stop(), forked.stop()]);
  const witnessed = await stack.addReplica('ledger', settings);
  const halted = await waitFor(async () => query(DATABASE_URL, 'SELECT halted AS value FROM head'), {
    what: 'the halt of the fork',
  });
  console.log(`the fork halts: ${halted}`);
  if (halted !== 'witness first has seen another log') throw new Error('another halt was expected');
  await witnessed.stop();
  await stack.parts.ledger.start();
}

/**
 * Each of two writers and PostgreSQL are killed in turn while tenders are published (T10). The witness has signed every checkpoint: to
 * another root for a size it answers 422, and the log halts. `verify-procurement log` finds what is missing or there twice.
 */
async function surviveKills(place: Place): Promise<void> {
  const { stack, log } = place;
  const replica = await stack.addReplica('ledger');
  const { ledger, postgres } = stack.parts;
  const parts = [ledger, postgres, replica];
  for (let kills = 0; kills < KILLS; kills += 1) {
    const part = parts[kills % parts.length] ?? ledger;
    const size = parseSize(await textAt(`${log}/checkpoint`));
    const published = publishTenders(place, 2, 2);
    await part.kill('SIGKILL');
    await part.start();
    await published;
    await awaitCheckpoint(place, size + 6, WITNESS);
  }
  console.log(`${parseSize(await textAt(`${log}/checkpoint`))} entries after ${KILLS} kills, all of them witnessed`);
  await replica.stop();
}

const parseSize = (note: string): number => Number(note.split('\n')[1]);

/** All tiles are read, and a changed bit in one of them is seen. */
async function readByOthers({ stack, log, home }: Place, { fsck, logCheck }: Programs): Promise<void> {
  writeFileSync(join(home, 'log.pub'), stack.logVkey);
  // With one worker, which is the default, it waits for ever after the first error. It ends with 0 also when it fails.
  const fsckWords = (url: string) => [fsck, '--ui=false', '--N=8', `--storage_url=${url}/`, '--public_key=log.pub'];
  const checkWords = (url: string) => [logCheck, '-log', url, '-vkey', stack.logVkey, '-old', 'old'];
  await run(home, fsckWords(log), /Successfully fsck'd log with size \d+/);
  await run(home, checkWords(log), /^\d+ entries, every \d+th is in the tree\nthe log of 2 entries is its beginning$/m);
  for (const path of CHANGED_FILES) {
    const changed = await changedLog(log, path);
    await run(home, fsckWords(changed.url), /fsck failed: failed: tile\/\S+/);
    await run(home, checkWords(changed.url), /invalid transparency proof|downloaded inconsistent tile/, 1);
    changed.close();
  }
}

/** Serves the log with one bit changed in the files whose paths begin so. */
async function changedLog(log: string, path: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(`${log}${request.url}`);
      const body = Buffer.from(await answer.arrayBuffer());
      if (request.url?.startsWith(path) === true) body.writeUInt8(body.readUInt8(9) ^ 1, 9);
      response.writeHead(answer.status).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on a port.
  const { port } = server.address() as AddressInfo;
  console.log(`a bit of ${path} is changed at http://127.0.0.1:${port}`);
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Publishes tenders and changes each of them. Returns the id of one. */
async function publishTenders({ stack }: Place, count: number, changes = 0): Promise<string> {
  const buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  const published = Array.from({ length: count }, async () => {
    const { id, path, tokenQuery } = await publish(buyer, minimalTender());
    for (let change = 1; change <= changes; change += 1) {
      const answer = await buyer.patch(`${path}${tokenQuery}`, { description: `change ${change}` });
      if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
    }
    return id;
  });
  return (await Promise.all(published))[0] ?? '';
}

/** Waits for a checkpoint of so many entries that the log or a witness has signed. */
async function awaitCheckpoint({ log }: Place, size: number, signer: string): Promise<string> {
  return waitFor(
    async () => {
      const note = await textAt(`${log}/checkpoint`);
      return parseSize(note) >= size && note.includes(`\n\u2014 ${signer} `) && note;
    },
    { what: `${size} entries, signed by ${signer}` },
  );
}

async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** Carries out a statement. Returns the `value` of its first row. */
async function query(connectionString: string, statement: string): Promise<string | null | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ value: string | null }>(statement)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

/** Runs a program in a folder, and prints what is expected of it. Throws where it prints or ends otherwise. */
async function run(home: string, words: readonly string[], expected: RegExp, exit = 0): Promise<RegExpExecArray> {
  const [program = '', ...args] = words;
  const { code, out, notes } = await runIn(home, [program, ...args]);
  const found = expected.exec(`${out}${notes}`);
  console.log(`$ ${words.join(' ')}\n${found?.[0] ?? `${out}${notes}`}`);
  if (found === null || code !== exit) throw new Error(`it ended with ${code}; expected were ${exit} and ${expected}`);
  return found;
}
