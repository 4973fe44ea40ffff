const running = globalThis as { stopTestStores?: () => Promise<void> };

/** Jest runs this once, after the last test file of the server project. */
export default async function stopStores(): Promise<void> {
  await running.stopTestStores?.();
}
