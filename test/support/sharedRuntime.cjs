const { pathToFileURL } = require('node:url');
const Runtime = require('jest-runtime').default;

/** Modules by address or path. `clear` leaves those that the environment shares. */
class Modules extends Map {
  constructor(isShared) {
    super();
    this.isShared = isShared;
  }
  clear() {
    for (const key of this.keys()) if (!this.isShared(key)) this.delete(key);
  }
}

/** The runtime of each environment that this worker's test files share. Modules load others later, through the runtime that loaded them. */
const shared = new Map();

/**
 * Jest's runtime, one for all test files of a worker that share an environment (which then has `sharesModule`). Jest usually loads every module anew for each
 * file: with the whole server that is a second of work, and afterwards every function of it runs slowly at first. A test cannot replace a shared module or load it
 * anew: `jest.unstable_mockModule` and `jest.resetModules` do not reach those that are loaded.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    const used = shared.get(environment);
    if (used !== undefined) {
      used._testPath = rest[4];
      return used;
    }
    super(config, environment, ...rest);
    if (environment.sharesModule === undefined) return;
    const isShared = (address) => environment.sharesModule(address);
    this.registries.esModuleRegistry = new Modules(isShared);
    this.registries.moduleRegistry = new Modules((file) => isShared(pathToFileURL(file).href));
    shared.set(environment, this);
  }

  teardown() {
    if (shared.get(this._environment) !== this) {
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
    this.testState.state = 'loading';
  }
};
