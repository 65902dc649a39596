import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startListener, expectSuccess } from './listener.ts';
import { playStories } from './stories.ts';
import { BIN, GO_CLIENT, PYTHON, PYTHON_PROGRAMS, run } from './toolsets.ts';

// Programs that are made of the OpenAPI document of the system, or compare it with what the system does.

const DOCUMENT = 'api/2.5/openapi.json';
const SCHEMATHESIS_OPTIONS = ['--checks', 'all', '--max-time', '600', '--request-timeout', '10', '--auth', 'broker1:'];
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

export async function playPythonClient(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-foreign-'));
  try {
    const client = join(folder, 'generated_client');
    const words = ['generate', '--url', `${url}/${DOCUMENT}`, '--meta', 'none', '--output-path', client];
    // It warns of three answers that are no JSON, which it leaves out.
    const env = { PATH: `${join(BIN, 'python/bin')}:${process.env['PATH']}`, PYTHONPATH: folder };
    run(join(BIN, 'python/bin/openapi-python-client'), words, { env });
    run(PYTHON, [join(PYTHON_PROGRAMS, 'play_procedure.py'), url], { env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Generates and compiles in a folder that stays the same, so that Go compiles 75 000 lines only when the document has changed. */
export async function playGoClient(url: string): Promise<void> {
  const folder = join(BIN, 'go-client');
  rmSync(folder, { recursive: true, force: true });
  cpSync(GO_CLIENT, folder, { recursive: true });
  mkdirSync(join(folder, 'api'));
  run('go', ['-C', folder, 'tool', 'oapi-codegen', '--config', 'generate.yaml', `${url}/${DOCUMENT}`]);
  run('go', ['-C', folder, 'run', '.', url]);
}

export async function runSchemathesis(url: string): Promise<void> {
  const words = ['--config-file', join(PYTHON_PROGRAMS, 'schemathesis.toml'), 'run', `${url}/${DOCUMENT}`];
  // It keeps files where it runs.
  run(join(BIN, 'python/bin/schemathesis'), [...words, ...SCHEMATHESIS_OPTIONS], { cwd: BIN });
}

export async function validateStories(url: string): Promise<void> {
  const validator = await startListener(join(BIN, 'validate'), [url]);
  try {
    playStories(validator.address, STORIES);
  } finally {
    validator.program.kill();
  }
  await expectSuccess(validator);
}
