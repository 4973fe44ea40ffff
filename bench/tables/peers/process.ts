import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { family } from '../shots';

export type RunningPeer = { readonly pids: () => number[]; readonly stop: () => Promise<void> };

/** Runs a Node program in a folder and waits until it ends. */
export async function runOnce(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
}

/** Starts a Node program and waits until it responds at `url`. */
export async function startPeer(folder: string, args: readonly string[], env: Readonly<Record<string, string>>, url: string): Promise<RunningPeer> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  };
  const end = Date.now() + 120_000;
  while (Date.now() < end && child.exitCode === null) {
    const answered = await fetch(url).then(
      (answer) => answer.status < 500,
      () => false,
    );
    if (answered) return { pids: () => (child.pid === undefined ? [] : family(child.pid)), stop };
    await delay(200);
  }
  await stop();
  throw new Error(`${args.join(' ')} does not answer at ${url}`);
}
