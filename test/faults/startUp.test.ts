import { jest } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isAlive, processStat, waitUntilGone } from '../../server/stores/process';
import { chooseAccount } from '../../server/stores/postgres/account';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { socketFolder } from '../../server/stores/postgres/places';
import { freePort, runProgram, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';

jest.setTimeout(60_000);

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The output without the structured log and Node's own warnings. */
const plainLines = (said: string) => said.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));

describe('a program that cannot start says why in one line', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const refused = async (env: Record<string, string>, args: string[] = []) => {
    const { code, said } = await runProgram({ DATA_DIR: folder.dataDir, ...env }, args).ended;
    expect(code).toBe(1);
    expect(plainLines(said)).toHaveLength(1);
    return plainLines(said)[0] ?? '';
  };

  it('names a taken port and how to choose another', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => other.listen(0, 'localhost', () => resolve((other.address() as { port: number }).port)));
    const line = await refused({ PORT: String(port) });
    expect(line).toContain(`Port ${port} is taken`);
    expect(line).toContain('--port');
    other.close();
  });

  it('names a data folder that cannot be created or written', async () => {
    const notAFolder = path.join(path.dirname(folder.dataDir), 'file');
    writeFileSync(notAFolder, '');
    expect(await refused({ DATA_DIR: path.join(notAFolder, 'data'), PORT: '0' })).toContain(`${notAFolder}/data cannot be written`);
    expect(await refused({ DATA_DIR: '/proc/sitewright', PORT: '0' })).toContain('/proc/sitewright cannot be written');
  });

  it('names an unreadable setting, in Chinese on a Chinese terminal', async () => {
    expect(await refused({ PORT: 'three' })).toContain('PORT=three');
    expect(await refused({}, ['--colour'])).toContain('--colour');
    expect(await refused({ PORT: 'three', LC_ALL: 'zh_CN.UTF-8' })).toContain('端口应为');
  });

  it('names a bucket that does not answer, before it starts the databases', async () => {
    const port = await freePort();
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'a-secret' };
    const line = await refused({ PORT: '0', S3_BUCKET: 'files', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_PATH_STYLE: '1', ...keys });
    expect(line).toContain('S3_ENDPOINT');
    expect(line).not.toContain('a-secret');
    expect(existsSync(path.join(folder.dataDir, 'postgres'))).toBe(false);
  });

  it('names a PostgreSQL or ClickHouse address that does not answer', async () => {
    const port = await freePort();
    expect(await refused({ PORT: '0', DATABASE_URL: `postgres://someone:secret@127.0.0.1:${port}/db` })).toContain('DATABASE_URL');
    const line = await refused({ PORT: '0', CLICKHOUSE_URL: `http://someone:secret@127.0.0.1:${port}` });
    expect(line).toContain('CLICKHOUSE_URL');
    expect(line).not.toContain('secret');
  });
});

it('names the required Node version when it is too old', () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.8"})';
  const result = spawnSync(process.execPath, ['--import', pretend, 'scripts/run.mjs', 'start'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', LANG: 'C', LC_ALL: 'C' },
  });
  expect(result.status).toBe(1);
  expect(result.stderr.trim()).toBe('Node 20.19 or newer is needed; this is 18.20.8. Get it from https://nodejs.org');
});

describe('one folder, one program', () => {
  const folder = temporaryFolder();
  let env: Record<'DATA_DIR' | 'PORT', string>;
  beforeAll(async () => {
    env = { DATA_DIR: folder.dataDir, PORT: String(await freePort()) };
  });
  let previous: RunningProgram | null = null;
  afterAll(() => {
    previous?.process.kill('SIGKILL');
    folder.remove();
  });
  /** The program that the test before has left running, otherwise a new one. */
  async function running(): Promise<RunningProgram> {
    const program = previous ?? runProgram(env);
    previous = null;
    await program.ready;
    return program;
  }

  it('refuses a second program, survives kill -9 and leaves no child processes', async () => {
    const first = runProgram(env);
    await first.ready;

    const second = await runProgram({ ...env, PORT: '0' }).ended;
    expect(second.code).toBe(1);
    expect(plainLines(second.said)).toEqual([expect.stringContaining(`${folder.dataDir} (process ${first.process.pid})`)]);

    const address = { host: socketFolder(folder.dataDir, chooseAccount()), user: embeddedUser, database: 'sitewright' };
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept (n int)');
    await client.query('INSERT INTO kept SELECT generate_series(1, 500)');
    const left = childrenOf(first.process.pid ?? 0);
    first.process.kill('SIGKILL');
    await first.ended;

    const again = runProgram(env);
    await again.ready;
    for (const pid of left) expect(await waitUntilGone(pid, 5000)).toBe(true);
    const after = new pg.Client(address);
    await after.connect();
    expect((await after.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 500 }]);
    await after.end();

    const children = childrenOf(again.process.pid ?? 0);
    expect(children.length).toBeGreaterThanOrEqual(2);
    again.process.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
    for (const pid of children) expect(await waitUntilGone(pid, 5000)).toBe(true);
    expect(existsSync(path.join(folder.dataDir, 'lock'))).toBe(false);
  });

  it('starts while the previous process is still exiting', async () => {
    const holder = spawn('sleep', ['60']);
    const pid = holder.pid ?? 0;
    mkdirSync(folder.dataDir, { recursive: true });
    writeFileSync(path.join(folder.dataDir, 'lock'), JSON.stringify({ pid, nonce: 'ending', started: startOf(pid) }));
    previous = runProgram(env);
    await previous.said('waiting for that program to end');
    holder.kill('SIGKILL');
    await previous.ready;
  });

  it('starts while the previous program is still stopping', async () => {
    const first = await running();
    first.process.kill('SIGTERM');
    previous = runProgram(env);
    await previous.ready;
    expect((await first.ended).code).toBe(0);
  });

  it('starts after a kill although ClickHouse takes seconds to exit', async () => {
    const first = await running();
    const clickhouse = childrenOf(first.process.pid ?? 0).find((pid) => commandOf(pid).includes('libchdb')) ?? 0;
    process.kill(clickhouse, 'SIGSTOP');
    first.process.kill('SIGKILL');
    const again = runProgram({ ...env, PORT: '0' });
    await again.said('waiting for a ClickHouse left over');
    process.kill(clickhouse, 'SIGCONT');
    await again.ready;
    again.process.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
  });

  it('takes over the folder of a zombie process', async () => {
    // It ends when its parent is no longer the shell, which would wait for it.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    const pid = Number(await new Promise<string>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))));
    while (stateOf(pid) !== 'Z') await delay(20);
    writeFileSync(path.join(folder.dataDir, 'lock'), JSON.stringify({ pid, nonce: 'defunct', started: startOf(pid) }));
    previous = runProgram({ ...env, PORT: '0' });
    let waited = false;
    void previous.said('waiting for that program').then(
      () => (waited = true),
      () => undefined,
    );
    await previous.ready;
    expect(waited).toBe(false);
    parent.kill();
  });

  it('exits at once on the second signal and leaves no child processes', async () => {
    const program = await running();
    const children = childrenOf(program.process.pid ?? 0);
    program.process.kill('SIGTERM');
    program.process.kill('SIGINT');
    await program.ended;
    for (const pid of children) expect(await waitUntilGone(pid, 10_000)).toBe(true);
  });
});

describe('a broken data folder', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    const program = runProgram({ DATA_DIR: folder.dataDir, PORT: '0' });
    await program.ready;
    program.process.kill('SIGTERM');
    await program.ended;
  });
  afterAll(() => folder.remove());
  const refused = async () => {
    const { code, said } = await runProgram({ DATA_DIR: folder.dataDir, PORT: '0' }).ended;
    expect(code).toBe(1);
    return plainLines(said);
  };

  it('names PostgreSQL and how to restore it', async () => {
    const control = path.join(folder.dataDir, 'postgres', 'global', 'pg_control');
    renameSync(control, `${control}.moved`);
    expect(await refused()).toEqual([expect.stringMatching(/PostgreSQL part of the data folder does not open: .*\/postgres \(.*pg_control.*backup/)]);
    renameSync(`${control}.moved`, control);
  });

  it('names ClickHouse and how to restore it', async () => {
    const metadata = path.join(folder.dataDir, 'clickhouse', 'store', 'metadata');
    for (const name of readdirSync(metadata)) if (name.endsWith('.sql')) writeFileSync(path.join(metadata, name), 'not a database');
    expect(await refused()).toEqual([expect.stringMatching(/ClickHouse part of the data folder does not open: .*\/clickhouse.*backup/)]);
  });
});

it('gives the lock of a dead process to exactly one of many', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder.dataDir);
  writeFileSync(path.join(folder.dataDir, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, nonce: 'dead', started: '' }));
  const script = `import { lockDataFolder } from './server/dataFolder.ts';
    import { createLog } from './server/log.ts';
    try { await lockDataFolder(${JSON.stringify(folder.dataDir)}, createLog('silent'), 0); console.log('mine'); process.stdin.resume(); } catch (error) { console.log(error.message.includes('Another program') ? 'taken' : error.message); process.exit(); }`;
  const { stdout } = spawnSync('node_modules/.bin/esbuild', ['--bundle', '--platform=node', '--packages=external', '--format=esm'], {
    cwd: root,
    encoding: 'utf8',
    input: script,
  });
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', stdout], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const childOutputs = await Promise.all(
    children.map((child) => new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))),
  );
  expect(childOutputs.toSorted()).toEqual(['mine', 'taken', 'taken', 'taken', 'taken']);
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)))));
  folder.remove();
});

function childrenOf(parent: number): number[] {
  const rows = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .filter(([pid, ppid]) => ppid === parent && pid !== undefined && isAlive(pid) && commandOf(pid).match(/postgres|clickhouse|child\.mjs/))
    .map(([pid]) => pid ?? 0);
}

/** The start time of a process, as recorded in the lock. */
const startOf = (pid: number) => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${processStat(pid)[19]}`;

const stateOf = (pid: number) => processStat(pid)[0] ?? '';

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  }
}
