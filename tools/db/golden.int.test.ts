import { join } from 'node:path';
import { freshDatabase } from '@procurement/testing/database';
import { expect, it } from 'vitest';
import { formatCatalog, readCatalog } from './catalog.ts';
import { databaseFolders } from './database-files.ts';

// After an intended change: npx vitest run --project integration tools/db/golden.int.test.ts -u
it.each([...databaseFolders()])(
  'the migrated database of %s is its prisma/database.golden.txt',
  async (name, folder) => {
    const database = await freshDatabase(name);
    try {
      const catalog = await readCatalog(database.pool, 'public');
      await expect(formatCatalog(catalog)).toMatchFileSnapshot(join(folder, 'prisma/database.golden.txt'));
    } finally {
      await database.drop();
    }
  },
);
