import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';

/** Uses a connection to the database of the register, and ends it. */
export async function withRegister<T>(stack: Stack, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('register') });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
