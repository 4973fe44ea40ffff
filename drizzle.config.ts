import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes the SQL; it names every index, because drizzle-kit leaves out unnamed expression indexes silently. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/areas/*/schema.ts', './server/worker/schema.ts'],
  out: './server/stores/postgres/migrations',
});
