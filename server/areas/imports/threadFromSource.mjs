/** Entry of the import thread for tests and benchmarks, bundled from the sources once per run; the production build emits it as a file. */
import { pathToFileURL } from 'node:url';

const { TEST_IMPORT_THREAD: bundled } = process.env;
if (bundled) await import(pathToFileURL(bundled).href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./threadMain.ts');
}
