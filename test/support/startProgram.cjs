const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

/**
 * Runs main.cjs beside it (buildProgram.mjs puts both into one folder) from the code that V8 compiled once: a start then takes half the processor time.
 * `SAVE_CODE_CACHE` writes that code when the program exits.
 */
const bundle = path.join(__dirname, 'main.cjs');
const codeCache = path.join(__dirname, 'main.cache');
const program = new Script(readFileSync(bundle, 'utf8'), {
  filename: bundle,
  ...(existsSync(codeCache) ? { cachedData: readFileSync(codeCache) } : {}),
});
if (process.env.SAVE_CODE_CACHE === '1') process.once('exit', () => writeFileSync(codeCache, program.createCachedData()));
program.runInThisContext()(createRequire(bundle), bundle);
