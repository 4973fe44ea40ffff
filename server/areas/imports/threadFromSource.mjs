/** Starts the thread of an import from the sources, in tests and benchmarks; the build has it as a file of its own. */
import { register } from 'tsx/esm/api';

register();
await import('./threadMain.ts');
