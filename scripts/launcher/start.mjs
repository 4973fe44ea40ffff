import { build } from './build.mjs';
import { answersHelpHere, helpBeforeBuild } from './help.mjs';
import { install } from './install.mjs';
import { runAttached } from './process.mjs';

/** `npm start -- [options]`: installs, builds and runs the program, each step only as far as needed. */
export async function start(args) {
  if (answersHelpHere(args)) {
    console.log(helpBeforeBuild());
    return 0;
  }
  await install();
  await build();
  return runServer(args).ended;
}

/**
 * Node flags of the server. Requests that wait for the disk outlive Node's young generation of 16 MB, and copying them to the old one is a third of the cost of
 * garbage collection under load.
 */
const serverFlags = ['--enable-source-maps', '--max-semi-space-size=32'];

/**
 * Runs the built server. libuv's threads do file system work, password hashing and name look-ups; the default of four is too few for a journal that waits for
 * the disk. The number is read before any code of the program runs, so it is set here.
 */
export function runServer(args, env = {}) {
  return runAttached([...serverFlags, 'dist/server/main.js', ...args], {
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16',
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    ...env,
  });
}
