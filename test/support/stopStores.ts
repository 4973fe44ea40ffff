import { rmSync } from 'node:fs';
import path from 'node:path';

const running = globalThis as { stopTestStores?: () => Promise<void> };

/** Jest runs this once, after the last test file of the server project. */
export default async function stopStores(): Promise<void> {
  await running.stopTestStores?.();
  // The bundles made by startStores.ts and `runProgram`, and not those of another run.
  if (process.env.TEST_PROGRAM !== undefined) rmSync(path.dirname(process.env.TEST_PROGRAM), { recursive: true, force: true });
}
