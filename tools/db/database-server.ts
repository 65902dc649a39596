import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@procurement/local-stack/postgres';
import { z } from 'zod';

/** A PostgreSQL server on which databases may be made. */
export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The server of TEST_DATABASE_URL, which `stop` leaves alone, else an embedded one whose data goes with it. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') return { url: configuredUrl, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'procurement-db-'));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  // Started by root the server runs as somebody else, who has to get through here to its data.
  await chmod(folder, 0o755);
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    durable: false,
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const url = server.urlOf('postgres');
  return { url, stop: async () => server.stop().then(remove) };
}
