import type pg from 'pg';

/** A pool whose sessions the server ends, as it does when it is killed, just before the n-th statement that goes through a connection of it. */
export function poolEndingAt(pool: pg.Pool, statement: number): pg.Pool {
  let sent = 0;
  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const query = async (...args: Parameters<typeof client.query>): Promise<unknown> => {
      sent += 1;
      if (sent === statement) await pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      return client.query(...args);
    };
    return new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : bound(target, Reflect.get(target, name))),
    });
  }
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : bound(target, Reflect.get(target, name))),
  });
}

function bound(owner: object, member: unknown): unknown {
  return typeof member === 'function' ? member.bind(owner) : member;
}
