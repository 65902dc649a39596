import { defineConfig } from 'prisma/config';

// `prisma generate` requires an address but does not connect to it.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://unused@127.0.0.1/gateway' },
});
