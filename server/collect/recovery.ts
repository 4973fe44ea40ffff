import { copyFile, open, readFile, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log';
import { syncFolder } from '../stores/syncFolder';
import { skipHead, survey } from './frames';

export type Segment = { readonly number: number; readonly file: string; bytes: number };

export const segmentName = (number: number): string => `${String(number).padStart(12, '0')}.log`;

/**
 * Reads the segments of a journal folder, oldest first, and repairs damage from a crash or a bad disk: a torn end is truncated; a damaged range followed by
 * valid frames is skipped, and the original file is stored next to it as `<file>.corrupt`. Both are logged with file and offset. Offsets of valid frames never
 * change.
 */
export async function openSegments(folder: string, log: Log): Promise<Segment[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{12}\.log$/.test(name)).sort();
  const segments: Segment[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    segments.push({ number: Number(name.slice(0, 12)), file, bytes: await repair(file, log) });
  }
  return segments;
}

/** Returns the number of bytes of the valid file. */
async function repair(file: string, log: Log): Promise<number> {
  const bytes = await readFile(file);
  const { damage, end } = survey(bytes);
  if (damage.length === 0 && end === bytes.length) return end;

  if (damage.length > 0) {
    await copyFile(file, `${file}.corrupt`);
    for (const { from, to } of damage) {
      skipHead(to - from).copy(bytes, from);
      log.error('The journal is damaged: a range of it was skipped, the rest is kept', {
        file,
        offset: from,
        bytes: to - from,
        original: `${file}.corrupt`,
      });
    }
  }
  if (end < bytes.length)
    log.warn('The journal ended in the middle of a write that was never acknowledged: the end was cut off', { file, offset: end, bytes: bytes.length - end });

  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w', 0o600);
  try {
    await handle.writeFile(bytes.subarray(0, end));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  await syncFolder(path.dirname(file));
  return end;
}
