const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's environment for Node, with the Error of Node itself. In a test context, errors of broken connections are no instances of `Error`, and the SDK of S3 would not try again.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.Error = Error;
  }
};
