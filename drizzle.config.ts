import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './server/areas/*/schema.ts',
    './server/areas/{tables,seo}/*/schema.ts',
    './server/areas/tables/core/write/schema.ts',
    './server/kit/schema.ts',
    './server/worker/schema.ts',
    './server/mail/schema.ts',
  ],
  out: './server/stores/postgres/migrations',
});
