const path = require('node:path');
const { pathToFileURL } = require('node:url');
const Runtime = require('jest-runtime').default;
const SharedEnvironment = require('./sharedEnvironment.cjs');

const folder = (name) => `${pathToFileURL(path.resolve(__dirname, '../..', name)).href}/`;
const folders = [folder('server'), folder('contract'), folder('node_modules'), folder('.cache/test-packages')];
const ofTests = /\.test\.ts$/;

/** Modules of the program and its packages, and of Node: they are loaded once for all test files of a worker. Tests, and what supports them, are loaded for each file. */
const isShared = (key) => key.startsWith('node:') || (!ofTests.test(key) && folders.some((start) => key.startsWith(start)));

/** Modules by address or path. `clear` leaves the shared ones. */
class Modules extends Map {
  constructor(isShared) {
    super();
    this.isShared = isShared;
  }
  clear() {
    for (const key of this.keys()) if (!this.isShared(key)) this.delete(key);
  }
}

/** The runtime of this worker. Modules load others later, through the runtime that loaded them. */
let shared = null;

/**
 * Jest's runtime, one for all test files of a worker that use its shared environment. Jest usually loads every module anew for each file: with the whole server that is
 * a second of work, and afterwards every function of it runs slowly at first. The server's modules hold nothing that depends on a test.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    const testPath = rest[4];
    if (!(environment instanceof SharedEnvironment)) {
      super(config, environment, ...rest);
      return;
    }
    if (shared !== null) {
      shared._testPath = testPath;
      return shared;
    }
    super(config, environment, ...rest);
    this.registries.esModuleRegistry = new Modules(isShared);
    this.registries.moduleRegistry = new Modules((file) => isShared(pathToFileURL(file).href));
    shared = this;
  }

  teardown() {
    if (this !== shared) {
      super.teardown();
      return;
    }
    this.restoreAllMocks();
    this.registries.clear();
    this.testMainModule.reset();
    this.mockState.clear();
    this.fileCache.clear();
    this.transformCache.clear();
    this.jestGlobals.clearJestObjectCache();
    this.loggedReferenceErrors.clear();
    this.testState.leaveTestCode();
    this.testState.state = 'loading';
  }
};
