import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/areas/*/schema.ts', './server/worker/schema.ts'],
  out: './server/stores/postgres/migrations',
});
