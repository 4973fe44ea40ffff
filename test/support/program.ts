import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type RunningProgram = {
  readonly process: ChildProcess;
  /** Resolves when the address has been printed; rejects with all output if the program exits before. */
  readonly ready: Promise<void>;
  /** Resolves when a text has been printed; rejects with all output if the program exits before. */
  readonly said: (text: string) => Promise<void>;
  /** Exit code (or the signal) and all output. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly said: string }>;
};

/** The program, bundled from the current sources (buildProgram.mjs) by the first test file of a run that starts it; the others wait for it. */
function builtProgram(): string {
  const folder = process.env.TEST_PROGRAM;
  if (folder === undefined) throw new Error('TEST_PROGRAM is not set: run this test in the jest project "server"');
  const start = path.join(folder, 'start.cjs');
  // Written last.
  const codeCache = path.join(folder, 'main.cache');
  const failure = path.join(folder, 'failure');
  if (existsSync(codeCache)) return start;
  // Undefined if the folder was there: somebody builds already.
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const { status, stderr } = spawnSync(process.execPath, ['test/support/buildProgram.mjs', folder], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    if (status !== 0) writeFileSync(failure, stderr);
  }
  for (const end = Date.now() + 120_000; !existsSync(codeCache);) {
    if (existsSync(failure)) throw new Error(`the server does not build: ${readFileSync(failure, 'utf8')}`);
    if (Date.now() > end) throw new Error('the server was not built');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return start;
}

/** Runs the real program as a separate process. */
export function runProgram(env: Readonly<Record<string, string>>, args: readonly string[] = [], nodeArgs: readonly string[] = []): RunningProgram {
  const child = spawn(process.execPath, [...nodeArgs, builtProgram(), ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', LANG: 'C', LC_ALL: 'C', TEST_STORES: '', DELIVERY_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const ended = new Promise<Awaited<RunningProgram['ended']>>((resolve) => child.once('close', (code, signal) => resolve({ code, signal, said })));
  const output = new EventEmitter();
  const recordOutput = (chunk: Buffer) => {
    said += chunk.toString();
    output.emit('more');
  };
  child.stdout.on('data', recordOutput);
  child.stderr.on('data', recordOutput);
  const hasSaid = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!said.includes(text)) return;
        output.off('more', look);
        resolve();
      };
      output.on('more', look);
      look();
      void ended.then(() => reject(new Error(`the program left: ${said}`)));
    });
  const ready = hasSaid('is running: http');
  // A test that only waits for the exit does not await readiness.
  ready.catch(() => undefined);
  return { process: child, ready, said: hasSaid, ended };
}

/** Starts the program on the test's stores, and waits until it responds. */
export async function runProgramOn(
  stores: { readonly databaseUrl: string; readonly clickhouseUrl: string },
  env: Readonly<Record<'DATA_DIR' | 'PORT', string>> & Readonly<Record<string, string>>,
): Promise<RunningProgram> {
  const program = runProgram({ DATABASE_URL: stores.databaseUrl, CLICKHOUSE_URL: stores.clickhouseUrl, LOG_LEVEL: 'warn', ...env });
  try {
    await program.ready;
  } catch (error) {
    program.process.kill('SIGKILL');
    throw error;
  }
  return program;
}

/** A data folder below a folder that nobody else may enter, as `mktemp -d` creates it. */
export function temporaryFolder(): { readonly dataDir: string; readonly remove: () => void } {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'sitewright-fault-'));
  return { dataDir: path.join(parent, 'data'), remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** A port that was free a moment ago, below those that the system gives to outgoing connections, which would take it in between. */
export async function freePort(): Promise<number> {
  const isFree = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
    });
  for (;;) {
    const port = randomInt(16_384, 32_000);
    if (await isFree(port)) return port;
  }
}
