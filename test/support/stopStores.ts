import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const running = globalThis as { stopTestStores?: () => Promise<void> };

/** Jest runs this once, after the last test file of the server project. */
export default async function stopStores(): Promise<void> {
  await running.stopTestStores?.();
  // The bundles made by startStores.ts and `runProgram`.
  rmSync(fileURLToPath(new URL('../../.cache/programs', import.meta.url)), { recursive: true, force: true });
}
