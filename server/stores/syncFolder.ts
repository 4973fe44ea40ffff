import { open } from 'node:fs/promises';

/** Makes created, renamed and removed directory entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
