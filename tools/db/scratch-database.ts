import pg from 'pg';

/** An empty database for one comparison. */
export interface ScratchDatabase {
  readonly url: string;
  readonly client: pg.Client;
}

/** Runs `use` with a new, empty database and drops it afterwards. The role of `serverUrl` must be able to create databases. */
export async function withScratchDatabase<T>(
  serverUrl: string,
  name: string,
  use: (scratch: ScratchDatabase) => Promise<T>,
): Promise<T> {
  const database = `drift_${process.pid}_${name.replaceAll('-', '_')}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  try {
    await server.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${database} TEMPLATE template0`);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return await use({ url: url.href, client });
    } finally {
      await client.end();
    }
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await server.end();
  }
}
