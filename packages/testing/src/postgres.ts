import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@procurement/local-stack/ports';
import { startPostgres } from '@procurement/local-stack/postgres';

/** A PostgreSQL server whose databases tests and tools may create and drop. */
export interface TestPostgres {
  /** URL of the maintenance database, as superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that a test ends by any signal, and starts again. */
export interface OwnPostgres extends TestPostgres {
  /** SIGINT is a fast shutdown: rolls open transactions back, keeps all commits. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

/** The server of TEST_DATABASE_URL, which `stop` leaves running, or an embedded one, which `stop` deletes. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') return { url: configuredUrl, stop: async () => undefined };
  return startOwnPostgres();
}

/** An embedded server, which `stop` deletes. What it committed survives every signal. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-test-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Under root the server runs as another user, who has to enter this folder.
  chmodSync(folder, 0o755);
  const options = {
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    durable: false,
  };
  try {
    let server = await startPostgres(options);
    return {
      url: server.urlOf('postgres'),
      end: async (signal) => void (await server.child.stop(signal)),
      async start() {
        server = await startPostgres(options);
      },
      stop: async () => server.stop().then(remove),
    };
  } catch (error) {
    remove();
    throw error;
  }
}
