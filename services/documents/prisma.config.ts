import { defineConfig } from 'prisma/config';

// The address is only asked for by commands that this repository does not use; generate needs it to be present.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://unused@127.0.0.1/documents' },
});
