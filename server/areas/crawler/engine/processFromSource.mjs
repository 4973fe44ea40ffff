/** Entry of the process of a crawl for tests and benchmarks, bundled from the sources once per run; the production build emits it as a file. */
import { pathToFileURL } from 'node:url';

const { TEST_CRAWL_PROCESS: bundled } = process.env;
if (bundled) await import(pathToFileURL(bundled).href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./crawlMain.ts');
}
