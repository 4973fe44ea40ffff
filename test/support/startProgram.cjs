const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

/**
 * Runs main.cjs beside it (buildProgram.mjs puts both into one folder) from the code that V8 compiled once: a start then takes half the processor time.
 * `SAVE_CODE` writes that code when the program exits.
 */
const bundle = path.join(__dirname, 'main.cjs');
const code = path.join(__dirname, 'main.code');
const program = new Script(readFileSync(bundle, 'utf8'), {
  filename: bundle,
  ...(existsSync(code) ? { cachedData: readFileSync(code) } : {}),
});
if (process.env.SAVE_CODE === '1') process.once('exit', () => writeFileSync(code, program.createCachedData()));
program.runInThisContext()(createRequire(bundle), bundle);
