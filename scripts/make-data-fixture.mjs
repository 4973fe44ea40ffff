/**
 * `node scripts/make-data-fixture.mjs`, run with the build of a release before its schema changes: writes test/fixtures/data-v<number of PostgreSQL
 * steps>.tar.br, a data folder with one owner, one site, three page views and a content table with one record. test/integration/migrations.test.ts opens every
 * such folder with the current program.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const { entries } = JSON.parse(readFileSync(path.join(root, 'dist/server/migrations/meta/_journal.json'), 'utf8'));
const file = path.join(root, 'test/fixtures', `data-v${entries.length}.tar.br`);
const parent = mkdtempSync(path.join(os.tmpdir(), 'sitewright-fixture-'));
const port = await freePort();
const origin = `http://localhost:${port}`;

const program = spawn(process.execPath, ['dist/server/main.js'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: path.join(parent, 'data'), PORT: String(port), DELIVERY_PORT: '0', LC_ALL: 'C' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => program.once('exit', resolve));

try {
  const token = await setUpToken();
  const owner = { loginName: 'wanglin', displayName: 'Wang Lin', password: 'a password for a test only' };
  const cookie = (await post('/api/acc/sign/setup', { token, ...owner })).headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const created = await post('/api/core/sites', { name: 'Kept', slug: 'kept', purpose: 'external', url: 'https://kept.example' }, cookie);
  const site = (await created.json()).data.id;
  const views = ['a', 'b', 'c'].map((digit, index) => ({ k: 'v', p: digit.repeat(16), q: 0, a: 3000 - index * 1000, l: `https://kept.example/${digit}` }));
  const answer = await (await post('/collect', { s: site, u: 'd'.repeat(16), h: views })).json();
  if (answer.accepted !== 3) throw new Error(`the views were refused: ${JSON.stringify(answer)}`);
  const table = (await (await post(`/api/site/${site}/table/tables`, { title: 'Kept', template: 'team', drafts: true }, cookie)).json()).data.id;
  await post(`/api/site/${site}/table/tables/${table}/records`, { records: [{ name: 'Kept' }] }, cookie);
  program.kill('SIGTERM');
  await ended;
  mkdirSync(path.dirname(file), { recursive: true });
  // The archive excludes files that contain host names and paths; the program writes them at every start.
  const excludes = ['data/logs', 'data/clickhouse/run', 'data/postgres/postmaster.opts'].map((name) => `--exclude=${name}`);
  const packed = spawnSync('tar', ['-cf', '-', ...excludes, '--owner=0', '--group=0', '-C', parent, 'data'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 30,
  });
  if (packed.status !== 0) throw new Error('tar failed');
  // PostgreSQL stores several copies of its catalogue: with a window that covers them all, Brotli's output is a fifth of that of gzip.
  writeFileSync(file, brotliCompressSync(packed.stdout, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } }));
  console.log(file);
} finally {
  program.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
}

function setUpToken() {
  return new Promise((resolve, reject) => {
    let said = '';
    program.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /#t=(\S+)/.exec(said);
      if (found !== null) resolve(found[1]);
    });
    void ended.then(() => reject(new Error('the program left')));
  });
}

async function post(at, body, cookie) {
  const headers = {
    'content-type': at === '/collect' ? 'text/plain' : 'application/json',
    origin,
    'x-requested-with': 'console',
    ...(cookie === undefined ? {} : { cookie }),
  };
  const answer = await fetch(origin + at, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, 'localhost', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
