const { TestEnvironment } = require('jest-environment-jsdom');

const fromNode = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'Blob',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoderStream',
  'BroadcastChannel',
  'structuredClone',
  'URL',
  'URLSearchParams',
  'CompressionStream',
  'DecompressionStream',
];

/** jsdom with Node's own fetch family: jsdom has none, and requests, signals and urls must come from one world. */
module.exports = class BrowserEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(
      {
        ...config,
        projectConfig: {
          ...config.projectConfig,
          testEnvironmentOptions: { url: 'http://localhost:3000/home', ...config.projectConfig.testEnvironmentOptions },
        },
      },
      context,
    );
    for (const name of fromNode) {
      if (globalThis[name] !== undefined) this.global[name] = globalThis[name];
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
};
