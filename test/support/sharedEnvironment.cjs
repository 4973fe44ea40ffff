const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { TestEnvironment } = require('jest-environment-node');

const folder = (name) => `${pathToFileURL(path.resolve(__dirname, '../..', name)).href}/`;
const folders = [folder('server'), folder('contract'), folder('node_modules'), folder('.cache/test-packages')];
const ofTests = /\.test\.ts$/;

/** The environment of this worker, which its test files use one after another. */
let shared = null;

/**
 * Jest's environment for Node, one for all test files of a worker, so that they share the loaded server (sharedRuntime.cjs), whose modules hold nothing that
 * depends on a test. After each file, globals and environment variables are what they were before it.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (shared !== null) return shared;
    super(config, context);
    shared = this;
    this.initialGlobals = Object.getOwnPropertyDescriptors(this.global);
    this.initialVariables = { ...this.global.process.env };
    this.exit = this.global.process.exit;
  }

  /** Modules of the server, its packages, and Node. Tests, and what supports them, are loaded for each file. */
  sharesModule(address) {
    return address.startsWith('node:') || (!ofTests.test(address) && folders.some((start) => address.startsWith(start)));
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    restoreProperties(this.global, this.initialGlobals);
    const { process } = this.global;
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.initialVariables)) delete process.env[name];
    Object.assign(process.env, this.initialVariables);
  }
};

/** Gives an object the properties it had. Properties that are computed when they are first read remain as they are. */
function restoreProperties(object, initial) {
  for (const name of Reflect.ownKeys(object)) if (!Object.hasOwn(initial, name)) delete object[name];
  for (const name of Reflect.ownKeys(initial)) {
    const before = initial[name];
    if (!Object.hasOwn(object, name) || ('value' in before && object[name] !== before.value)) Object.defineProperty(object, name, before);
  }
}
