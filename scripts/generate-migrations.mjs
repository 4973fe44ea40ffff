/**
 * `npm run db:generate`: writes the SQL for changes of the PostgreSQL schema. For some mistakes (an expression index without a name) drizzle-kit exits with 0
 * and writes nothing, so its output is checked too.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kit = path.join(root, 'node_modules', 'drizzle-kit', 'bin.cjs');
const result = spawnSync(process.execPath, [kit, 'generate', '--config', 'drizzle.config.ts', ...process.argv.slice(2)], { cwd: root, encoding: 'utf8' });
process.stdout.write(result.stdout + result.stderr);
const finished = /No schema changes|Your SQL migration/.test(result.stdout);
if (result.status !== 0 || !finished) {
  console.error('No migration was written: read what drizzle-kit said above.');
  process.exitCode = 1;
}
