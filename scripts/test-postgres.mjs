/**
 * `npm run test:postgres [-- <pattern>…]`: runs server tests on a system PostgreSQL instead of the packaged one; by default those of content tables.
 * POSTGRES_BIN names the folder of its programs; the default is the oldest of Debian's versions.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian).filter((name) => Number(name) >= 15) : [];
const oldest = versions.sort((a, b) => Number(a) - Number(b))[0];
const bin = process.env.POSTGRES_BIN ?? (oldest === undefined ? undefined : path.join(debian, oldest, 'bin'));
if (bin === undefined || !existsSync(path.join(bin, 'initdb'))) {
  console.error('No PostgreSQL 15 or newer found: install one (Debian: apt-get install postgresql), or set POSTGRES_BIN to the folder of its programs.');
  process.exit(1);
}
const patterns = process.argv.length > 2 ? process.argv.slice(2) : ['integration/tables', 'security/tables'];
console.log(spawnSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim());
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--selectProjects', 'server', '--testPathPatterns', ...patterns], {
  stdio: 'inherit',
  env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings', TEST_POSTGRES_BIN: bin },
});
process.exit(status ?? 1);
