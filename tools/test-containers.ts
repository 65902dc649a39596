import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import { composeService, ROOT, storeVariables, readText } from './deploy/repository.ts';

// `npm run test:containers [-- <files>]`: the integration tests and some stories, or the files named, on the images of docker-compose.yml: PostgreSQL and
// the object store in containers; nats-server, which tests kill, freeze and start again by the hundred, is the program of its image.
const SECRET = randomBytes(16).toString('hex');
const STORIES = ['test/e2e/below-threshold/two-bids.test.ts', 'test/e2e/documents.test.ts'];

function makeContainer(service: string): GenericContainer {
  return new GenericContainer(composeService(service).image);
}

function startPostgres(): Promise<StartedTestContainer> {
  return (
    makeContainer('postgres')
      .withEnvironment({ POSTGRES_PASSWORD: SECRET, POSTGRES_INITDB_ARGS: '--locale=C.UTF-8 --encoding=UTF8' })
      // Three test files at a time, each with the pools of its services. What is stored need not survive the container.
      .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off'])
      .withExposedPorts(5432)
      // The image starts a server for its own set-up first, without a port.
      .withWaitStrategy(
        Wait.forAll([Wait.forListeningPorts(), Wait.forLogMessage(/listening on IPv4 address "0\.0\.0\.0"/)]),
      )
      .start()
  );
}

function startStore(): Promise<StartedTestContainer> {
  return makeContainer('store')
    .withCopyContentToContainer([{ content: readText('deploy/compose/store/start.sh'), target: '/setup/start.sh' }])
    .withEntrypoint(['/bin/sh', '/setup/start.sh'])
    .withEnvironment(storeVariables(SECRET))
    .withExposedPorts(9000)
    .withWaitStrategy(Wait.forHttp('/health', 9000))
    .start();
}

/** Writes the program of the image of NATS into a folder. */
async function natsServerIn(folder: string): Promise<string> {
  const container = await makeContainer('nats').withEntrypoint(['sleep']).withCommand(['600']).start();
  try {
    const found = await container.exec(['sh', '-c', 'command -v nats-server']);
    const archive = join(folder, 'nats-server.tar');
    const stream = await container.copyArchiveFromContainer(found.output.trim());
    await new Promise<void>((resolve, reject) => {
      stream.pipe(createWriteStream(archive)).on('finish', resolve).on('error', reject);
    });
    spawnSync('tar', ['-xf', archive, '-C', folder]);
  } finally {
    await container.stop();
  }
  const program = join(folder, 'nats-server');
  if (!existsSync(program)) throw new Error('the image of NATS has no nats-server');
  chmodSync(program, 0o755);
  return program;
}

/** Throws when the stories have left nothing in the containers: then they had servers of their own. */
async function expectUsed(postgres: StartedTestContainer, store: StartedTestContainer): Promise<void> {
  const count = ['psql', '-h', '127.0.0.1', '-U', 'postgres', '-d', 'tenders', '-tAc', 'SELECT count(*) FROM tender'];
  const tenders = await postgres.exec(count, { env: { PGPASSWORD: SECRET } });
  const files = await store.exec(['ls', '/data/buckets/documents']);
  if (!(Number(tenders.output) > 0) || files.output === '')
    throw new Error(`the stories did not use the containers: ${tenders.output} tenders, files: ${files.output}`);
}

/** Answers whether all tests passed. */
async function runTests(files: readonly string[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-containers-'));
  const started: StartedTestContainer[] = [];
  try {
    const natsServer = await natsServerIn(folder);
    const postgres = await startPostgres();
    started.push(postgres);
    const store = await startStore();
    started.push(store);
    const env = {
      ...process.env,
      NATS_SERVER_BIN: natsServer,
      TEST_DATABASE_URL: `postgresql://postgres:${SECRET}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
      TEST_S3_URL: `http://documents:${SECRET}@${store.getHost()}:${store.getMappedPort(9000)}/documents`,
    };
    const play = (...words: readonly string[]): boolean =>
      spawnSync('npx', ['vitest', 'run', ...words], { cwd: ROOT, env, stdio: 'inherit' }).status === 0;
    if (files.length > 0) return play('--project', 'integration', '--project', 'e2e', ...files);
    const areWhole = [play('--project', 'integration'), play('--project', 'e2e', ...STORIES)];
    await expectUsed(postgres, store);
    return areWhole.every(Boolean);
  } finally {
    for (const container of started) await container.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const engine = await getContainerRuntimeClient().catch(() => undefined);
if (engine === undefined) console.log('skipped: no Docker engine answers here');
else process.exitCode = (await runTests(process.argv.slice(2))) ? 0 : 1;
