import { defineConfig } from 'prisma/config';

// Prisma requires a URL in this file; the commands that this repository uses do not connect to it.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://unused@127.0.0.1/ledger' },
});
