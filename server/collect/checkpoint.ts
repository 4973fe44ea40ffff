import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/** A place in the journal: byte `offset` of segment `segment`. */
export type Position = { readonly segment: number; readonly offset: number };

export const isBefore = (a: Position, b: Position): boolean => a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);

const fileOf = (folder: string): string => path.join(folder, 'checkpoint');

/** Up to where everything is stored; null on a new journal or when the file cannot be read (then all is drained again, which changes nothing). */
export async function readCheckpoint(folder: string): Promise<Position | null> {
  try {
    const { segment, offset } = JSON.parse(await readFile(fileOf(folder), 'utf8')) as Partial<Position>;
    return Number.isSafeInteger(segment) && Number.isSafeInteger(offset) ? { segment: segment as number, offset: offset as number } : null;
  } catch {
    return null;
  }
}

/** Replaces the checkpoint as a whole: after a crash the file holds the old place or the new one. */
export async function writeCheckpoint(folder: string, position: Position): Promise<void> {
  const fresh = `${fileOf(folder)}.new`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(position));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, fileOf(folder));
  await syncFolder(folder);
}

/** Makes created, renamed and removed names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
