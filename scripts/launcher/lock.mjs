import { mkdirSync, readFileSync, rmSync, writeFileSync, linkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from './process.mjs';

/** Runs `work` while no other command of this clone does; waits as long as the process that has the lock is alive. */
export async function withLock(name, onWait, work) {
  const file = inRoot('.cache', `${name}.lock`);
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  let isWaiting = false;
  try {
    while (!link(draft, file)) {
      const holder = Number(readOr(file, '0'));
      if (holder > 0 && !alive(holder)) {
        // The holder is checked again, because another waiting process may have taken the lock meanwhile.
        await delay(50 + Math.random() * 100);
        if (Number(readOr(file, '0')) === holder) rmSync(file, { force: true });
        continue;
      }
      if (!isWaiting) onWait();
      isWaiting = true;
      await delay(200);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const release = () => {
    if (readOr(file, '') === String(process.pid)) rmSync(file, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
