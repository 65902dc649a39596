import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './deploy/repository.ts';
import { onSandbox } from './own-sandbox.ts';

// `npm run test:schemathesis [-- options of schemathesis run]`: requests that schemathesis makes of the OpenAPI document of segment
// 2.5, to the running sandbox or one of its own. Optional: without Python's schemathesis it says so and ends with 0.
const OWN = join(ROOT, '.local/schemathesis/bin/schemathesis');
const PROGRAM = process.env['SCHEMATHESIS'] ?? (existsSync(OWN) ? OWN : 'schemathesis');
const SECONDS = '600';

const SKIPPED = `skipped: schemathesis is missing. Once:
  python3 -m venv .local/schemathesis && .local/schemathesis/bin/pip install schemathesis==4.32.5
Another one: SCHEMATHESIS=<path>`;

const ALLOWANCES = join(import.meta.dirname, 'schemathesis.toml');
const OPTIONS = ['--checks', 'all', '--max-time', SECONDS, '--request-timeout', '10', '--auth', 'broker1:'];

function run(url: string): number {
  const words = ['--config-file', ALLOWANCES, 'run', `${url}/api/2.5/openapi.json`, ...OPTIONS];
  const { status } = spawnSync(PROGRAM, [...words, ...process.argv.slice(2)], { cwd: tmpdir(), stdio: 'inherit' });
  return status ?? 1;
}

if (spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0)
  process.exitCode = await onSandbox(async (url) => run(url));
else console.log(SKIPPED);
