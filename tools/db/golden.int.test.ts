import { join } from 'node:path';
import { freshDatabase } from '@procurement/testing/database';
import { expect, it } from 'vitest';
import { formatCatalog, readCatalog } from './catalog.ts';
import { databases } from './database-files.ts';

// After an intended change: npx vitest run --project integration tools/db/golden.int.test.ts -u
it.each(databases())(
  'the migrated tables of $name are its prisma/database.golden.txt',
  async ({ name, folder, schema }) => {
    // Those of kit are in the database of each service.
    const database = await freshDatabase(name === 'kit' ? 'bids' : name);
    try {
      const catalog = await readCatalog(database.pool, schema);
      await expect(formatCatalog(catalog)).toMatchFileSnapshot(join(folder, 'database.golden.txt'));
    } finally {
      await database.drop();
    }
  },
);
