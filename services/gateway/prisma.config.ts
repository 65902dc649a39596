import { defineConfig } from 'prisma/config';

// Commands that connect are not used in this repository; the address only has to be present.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://unused@127.0.0.1/gateway' },
});
