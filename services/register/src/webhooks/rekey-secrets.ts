import type pg from 'pg';
import type { SecretBox } from '@procurement/kit/runtime/secret-box';

/** The command `rekey`: encrypts secrets of webhooks under the first of `REGISTER_KEYS`. Returns the exit code. */
export async function rekey(
  args: readonly string[],
  { pool, secretBox }: { readonly pool: pg.Pool; readonly secretBox: SecretBox },
  print: (line: string) => void,
): Promise<number> {
  if (args.length > 0) {
    print('usage: rekey');
    return 2;
  }
  const { rows } = await pool.query<{ id: string; webhook: string; key_id: string; sealed: Buffer }>(
    `SELECT id, replace(webhook::text, '-', '') AS webhook, key_id, sealed FROM webhook_secret WHERE key_id <> $1`,
    [secretBox.keyId],
  );
  for (const { id, webhook, key_id: oldKey, sealed: before } of rows) {
    const { keyId, sealed } = secretBox.seal(webhook, secretBox.open(webhook, { keyId: oldKey, sealed: before }));
    await pool.query('UPDATE webhook_secret SET key_id = $2, sealed = $3 WHERE id = $1', [id, keyId, sealed]);
  }
  print(`${rows.length} secrets encrypted under the first key`);
  return 0;
}
