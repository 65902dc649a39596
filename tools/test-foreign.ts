import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { waitFor } from '@procurement/testing/wait-for';
import { patientBroker } from '../test/support/broker.ts';
import { publish } from '../test/support/published-tender.ts';
import { minimalTender } from '../test/support/request-bodies.ts';
import { ROOT } from './deploy/repository.ts';
import { onSandbox } from './own-sandbox.ts';

// `npm run test:foreign [-- names]`: the running sandbox, or one of its own, before programs of others. Each needs Python or Go with
// its registry of packages, and is skipped without. The programs stand in test/foreign, with their versions.
const BIN = join(ROOT, '.local/foreign');
const PYTHON = join(BIN, 'python/bin/python');
const PYTHON_PROGRAMS = join(ROOT, 'test/foreign/python');
const GO_PROGRAMS = join(ROOT, 'test/foreign/go');
/** A module with a program of ours, its generator, and how the generator reads the document. It lacks the generated package `api`. */
const GO_CLIENT = join(ROOT, 'test/foreign/go-client');
const KEY = 'broker1';
const SCHEMATHESIS_OPTIONS = ['--checks', 'all', '--max-time', '600', '--request-timeout', '10'];
/** Stories of processes with all that OCDS shows. */
const OCDS_STORIES = ['register/ocds', 'contract', 'below-threshold'];
/** The stories that a validator watches: those that are told or read in segment 2.5. */
const STORIES = [
  'below-threshold',
  'stories',
  'contract',
  'documents.test',
  'drafts',
  'receipts',
  'feed.test',
  'generations',
  // All but bad-input, whose addresses Go itself refuses.
  ...['auction', 'awards', 'bids', 'documents', 'early', 'endpoints', 'from', 'numbers', 'questions', 'tenders'].map(
    (name) => `interface/${name}`,
  ),
  'register/lookup',
];

type Toolset = 'python' | 'go' | 'go client';

/** Installs a set of tools that programs need. Returns why that is impossible here. Throws when a program of ours does not compile. */
const INSTALL: Readonly<Record<Toolset, () => string | undefined>> = {
  python() {
    const isMade = succeeds('python3', '-m', 'venv', join(BIN, 'python'));
    if (!isMade) return 'no python3 with venv';
    const requirements = join(PYTHON_PROGRAMS, 'requirements.txt');
    return succeeds(PYTHON, '-m', 'pip', 'install', '--quiet', '--requirement', requirements)
      ? undefined
      : 'pip could not install the packages';
  },
  go() {
    if (!succeeds('go', '-C', GO_PROGRAMS, 'mod', 'download')) return 'no Go, or no module proxy';
    run('go', ['-C', GO_PROGRAMS, 'build', '-o', `${BIN}/`, './...']);
    return undefined;
  },
  'go client'() {
    return succeeds('go', '-C', GO_CLIENT, 'mod', 'download') ? undefined : 'no Go, or no module proxy';
  },
};

/** Programs of others. Each throws when the system is not as it expects. */
const PROGRAMS: Readonly<Record<string, readonly [Toolset, (url: string) => Promise<void>]>> = {
  'a client generated in Python plays a procedure': ['python', playPythonClient],
  'a client generated in Go plays a procedure': ['go client', playGoClient],
  'a receiver of Standard Webhooks in Python': [
    'python',
    async (url) => receiveWebhook(url, PYTHON, join(PYTHON_PROGRAMS, 'receive_webhook.py')),
  ],
  'libraries of Open Contracting read the register': ['python', checkOcds],
  'schemathesis makes requests of the OpenAPI document': ['python', runSchemathesis],
  'a receiver of Standard Webhooks in Go': ['go', async (url) => receiveWebhook(url, join(BIN, 'receive'))],
  'a validator of Go between stories and gateway': ['go', validateStories],
};

function succeeds(command: string, ...words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function run(command: string, words: readonly string[], { env, cwd = ROOT }: RunOptions = {}): void {
  const { status } = spawnSync(command, words, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

async function playPythonClient(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-foreign-'));
  try {
    const client = join(folder, 'generated_client');
    const document = `${url}/api/2.5/openapi.json`;
    const words = ['generate', '--url', document, '--meta', 'none', '--output-path', client];
    // It warns of three answers that are no JSON, which it leaves out.
    const env = { PATH: `${join(BIN, 'python/bin')}:${process.env['PATH']}`, PYTHONPATH: folder };
    run(join(BIN, 'python/bin/openapi-python-client'), words, { env });
    run(PYTHON, [join(PYTHON_PROGRAMS, 'play_procedure.py'), url], { env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Generates and compiles in a folder that stays the same, so that Go compiles 75 000 lines only when the document has changed. */
async function playGoClient(url: string): Promise<void> {
  const folder = join(BIN, 'go-client');
  rmSync(folder, { recursive: true, force: true });
  cpSync(GO_CLIENT, folder, { recursive: true });
  mkdirSync(join(folder, 'api'));
  const document = `${url}/api/2.5/openapi.json`;
  run('go', ['-C', folder, 'tool', 'oapi-codegen', '--config', 'generate.yaml', document]);
  run('go', ['-C', folder, 'run', '.', url]);
}

interface Listener {
  /** Its first line, which says where it listens. */
  readonly address: string;
  readonly program: ChildProcessByStdio<Writable, Readable, null>;
}

async function startListener(command: string, words: readonly string[] = []): Promise<Listener> {
  const program = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: program.stdout }).on('line', (line) => {
    if (lines.push(line) > 1) console.log(line);
  });
  const address = await waitFor(() => lines[0], { what: `the address of ${command}` });
  return { address, program };
}

/** Throws also when the program does not end by itself. */
async function expectSuccess({ program }: Listener): Promise<void> {
  await waitFor(() => program.exitCode !== null || program.signalCode !== null, { what: 'its end' });
  if (program.exitCode !== 0) throw new Error(`it ended with ${program.exitCode ?? program.signalCode}`);
}

async function receiveWebhook(url: string, command: string, ...words: readonly string[]): Promise<void> {
  const receiver = await startListener(command, words);
  try {
    const client = patientBroker(url, KEY, '2.5');
    const { id } = await publish(client, minimalTender({ mode: 'test' }));
    const subscription = {
      url: `http://127.0.0.1:${receiver.address}/`,
      filter: { mode: 'test', ids: [id] },
      from: '0',
    };
    const made = await client.post('/webhooks', subscription);
    if (made.status !== 201) throw new Error(`no webhook: ${made.text}`);
    receiver.program.stdin.write(`${made.body.data.secret}\n`);
    await expectSuccess(receiver);
  } finally {
    receiver.program.kill();
  }
}

function playStories(url: string, names: readonly string[]): void {
  run('npx', ['vitest', 'run', '--project', 'e2e', ...names.map((name) => `test/e2e/${name}`)], {
    env: { GATEWAY_URL: url },
  });
}

async function checkOcds(url: string): Promise<void> {
  const began = new Date().toISOString();
  playStories(url, OCDS_STORIES);
  run(PYTHON, [join(PYTHON_PROGRAMS, 'check_ocds.py'), join(ROOT, 'packages/ocds'), url, began]);
}

async function runSchemathesis(url: string): Promise<void> {
  const words = ['--config-file', join(PYTHON_PROGRAMS, 'schemathesis.toml'), 'run', `${url}/api/2.5/openapi.json`];
  // It keeps files where it runs.
  run(join(BIN, 'python/bin/schemathesis'), [...words, ...SCHEMATHESIS_OPTIONS, '--auth', `${KEY}:`], { cwd: BIN });
}

async function validateStories(url: string): Promise<void> {
  const validator = await startListener(join(BIN, 'validate'), [url]);
  try {
    playStories(validator.address, STORIES);
  } finally {
    validator.program.kill();
  }
  await expectSuccess(validator);
}

const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.some((word) => name.includes(word));
const programs = Object.entries(PROGRAMS).filter(([name]) => isChosen(name));
const toolsets = [...new Set(programs.map(([, [toolset]]) => toolset))];
const obstacles = new Map(toolsets.map((toolset) => [toolset, INSTALL[toolset]()]));

await onSandbox(async (url) => {
  for (const [name, [toolset, play]] of programs) {
    const why = obstacles.get(toolset);
    console.log(`== ${name}${why === undefined ? '' : `: skipped, ${why}`}`);
    if (why !== undefined) continue;
    try {
      await play(url);
    } catch (error) {
      console.log(`== ${name}: FAILED, ${String(error)}`);
      process.exitCode = 1;
    }
  }
});
