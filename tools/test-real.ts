import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@procurement/local-stack/ports';
import { waitFor } from '@procurement/testing/wait-for';
import { ROOT, storeVariables, readText } from './deploy/repository.ts';
import { testPublicLog } from './test-real-log.ts';

// The tests' own servers are the system's nats-server, which may be old, and s3rver, which checks no signatures. This runs the tests of
// messaging and storage against the releases of docker-compose.yml, after those of the public log. Needs Go, and its module proxy at the
// first run.
const BIN = join(ROOT, '.local/real');
const TESTS = ['packages/kit/src/messaging', 'packages/kit/src/files'];
const SECRET = 'a-secret-of-this-run';

/** The version of an image of docker-compose.yml, without the suffix of its base. */
function readRelease(image: string): string {
  const release = new RegExp(`image: ${image}:v?([0-9.]+)`).exec(readText('docker-compose.yml'))?.[1];
  if (release === undefined) throw new Error(`docker-compose.yml has no image ${image}`);
  return release;
}

/** Builds a Go program by `go install` with these words. Returns its path. */
function build(name: string, ...words: readonly string[]): string {
  console.log(`building ${name}: go install ${words.join(' ')}`);
  const { status, error } = spawnSync('go', ['install', ...words], {
    env: { ...process.env, GOBIN: BIN },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`Go is needed, and could not build ${name}`, { cause: error });
  return join(BIN, name);
}

mkdirSync(BIN, { recursive: true });
await testPublicLog(build);
const natsServer = build('nats-server', `github.com/nats-io/nats-server/v2@v${readRelease('nats')}`);
build('versitygw', `github.com/versity/versitygw/cmd/versitygw@v${readRelease('versity/versitygw')}`);
const folder = mkdtempSync(join(tmpdir(), 'procurement-real-'));
const { documents: port } = await freePorts();
// The script of the container, with its port and folder.
const script = readText('deploy/compose/store/start.sh')
  .replaceAll('/data', folder)
  .replace(':9000', `127.0.0.1:${port}`);
const store = spawn('/bin/sh', ['-c', script], {
  env: { ...storeVariables(SECRET), PATH: `${BIN}:${process.env['PATH']}` },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok, {
    what: 'the object store',
  });
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'integration', ...TESTS], {
    cwd: ROOT,
    env: {
      ...process.env,
      NATS_SERVER_BIN: natsServer,
      TEST_S3_URL: `http://documents:${SECRET}@127.0.0.1:${port}/documents`,
    },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  store.kill();
  rmSync(folder, { recursive: true, force: true });
}
