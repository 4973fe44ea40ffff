import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../stores/syncFolder';

/** A position in the journal: byte `offset` of segment `segment`. */
export type Position = { readonly segment: number; readonly offset: number };

export const isBefore = (a: Position, b: Position): boolean => a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);

const fileOf = (folder: string): string => path.join(folder, 'checkpoint');

/**
 * The position up to which hits are stored and their visits are written. `inserted`: the position up to which hits are stored; visits between the two may be
 * missing.
 */
export type Checkpoint = Position & { readonly inserted: Position };

const isPosition = (value: Partial<Position> | undefined): value is Position =>
  value !== undefined && Number.isSafeInteger(value.segment) && Number.isSafeInteger(value.offset);

/** The checkpoint of a journal folder; null for a new journal or if the file cannot be read (then everything is consumed again, which changes nothing). */
export async function readCheckpoint(folder: string): Promise<Checkpoint | null> {
  try {
    const read = JSON.parse(await readFile(fileOf(folder), 'utf8')) as Partial<Position>;
    if (!isPosition(read)) return null;
    const { segment, offset } = read;
    const { inserted } = read as Partial<Checkpoint>;
    return { segment, offset, inserted: isPosition(inserted) && !isBefore(inserted, read) ? inserted : { segment, offset } };
  } catch {
    return null;
  }
}

/** Replaces the checkpoint atomically: after a crash the file contains the old or the new position. */
export async function writeCheckpoint(folder: string, checkpoint: Checkpoint): Promise<void> {
  const fresh = `${fileOf(folder)}.new`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(checkpoint));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, fileOf(folder));
  await syncFolder(folder);
}
