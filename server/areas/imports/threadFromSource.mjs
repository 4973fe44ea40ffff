/** Starts the thread of an import from the sources, in tests and benchmarks; the build has it as a file of its own. A test run bundles it once for all threads. */
import { pathToFileURL } from 'node:url';

const { TEST_IMPORT_THREAD: bundled } = process.env;
if (bundled) await import(pathToFileURL(bundled).href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./threadMain.ts');
}
