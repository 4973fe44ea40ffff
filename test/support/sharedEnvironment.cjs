const { TestEnvironment } = require('jest-environment-node');

/** The environment of this worker, which its test files use one after another. */
let shared = null;

/**
 * Jest's environment for Node, one for all test files of a worker, so that they share the modules of the server (sharedRuntime.cjs). After each file, globals
 * and environment variables are what they were before it.
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

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { global, initialGlobals } = this;
    for (const name of Reflect.ownKeys(global)) {
      const initial = initialGlobals[name];
      if (initial === undefined) delete global[name];
      else if ('value' in initial && global[name] !== initial.value) Object.defineProperty(global, name, initial);
    }
    global.process.exit = this.exit;
    for (const name of Object.keys(global.process.env)) if (!(name in this.initialVariables)) delete global.process.env[name];
    Object.assign(global.process.env, this.initialVariables);
  }
};
