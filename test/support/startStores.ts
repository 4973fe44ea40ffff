import { startTestStores } from './testStores';

const running = globalThis as { stopTestStores?: () => Promise<void> };

/** Jest runs this once, before the first test file of the server project. What a killed machine would lose is shown by test/faults, on stores of their own. */
export default async function startStores(): Promise<void> {
  const { addresses, stop } = await startTestStores({ durable: false });
  process.env.TEST_STORES = JSON.stringify(addresses);
  running.stopTestStores = stop;
}
