import { startTestStores } from './testStores';

const running = globalThis as { stopTestStores?: () => Promise<void> };

/** Jest runs this once, before the first test file of the server project. */
export default async function startStores(): Promise<void> {
  const { addresses, stop } = await startTestStores();
  process.env.TEST_STORES = JSON.stringify(addresses);
  running.stopTestStores = stop;
}
