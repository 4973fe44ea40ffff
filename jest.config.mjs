import { bundledNames } from './test/support/bundlePackages.mjs';

const swc = (module) => [
  '@swc/jest',
  { jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2022', transform: { react: { runtime: 'automatic' } } }, module: { type: module } },
];

/** Console tests use jsdom and CommonJS; server tests use Node and ES modules, with the real embedded stores. */
export default {
  testSequencer: '<rootDir>/test/support/longestFirst.cjs',
  projects: [
    {
      displayName: 'console',
      testEnvironment: '<rootDir>/test/support/browserEnvironment.cjs',
      testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}', '<rootDir>/{tracker,widget}/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/consoleSetup.ts'],
      moduleNameMapper: {
        '\\.css$': '<rootDir>/test/support/emptyModule.cjs',
        '^@/(.*)$': '<rootDir>/src/$1',
        '^@contract/(.*)$': '<rootDir>/contract/$1',
        '^tus-js-client$': '<rootDir>/node_modules/tus-js-client/lib.es5/browser/index.js',
        '^@emotion/sheet$': '<rootDir>/test/support/emotionSheet.cjs',
      },
      transform: { '^.+\\.(t|j|mj)sx?$': swc('commonjs') },
      transformIgnorePatterns: ['/node_modules/(?!(@visx|d3-.*|internmap|marked|thumbhash)/)'],
    },
    {
      displayName: 'server',
      testEnvironment: '<rootDir>/test/support/sharedEnvironment.cjs',
      runtime: '<rootDir>/test/support/sharedRuntime.cjs',
      testMatch: ['<rootDir>/contract/**/*.test.ts', '<rootDir>/server/**/*.test.ts', '<rootDir>/test/{unit,integration,oracle,faults,security}/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      moduleNameMapper: { ...bundledNames, '^@contract/(.*)$': '<rootDir>/contract/$1', '^typescript$': '<rootDir>/test/support/typescript.ts' },
      setupFilesAfterEnv: ['<rootDir>/test/support/serverSetup.ts'],
      globalSetup: '<rootDir>/test/support/startStores.ts',
      globalTeardown: '<rootDir>/test/support/stopStores.ts',
      // In the context of a test, every use of a global is looked up by a function call. Encoders of pictures use `Math` for every byte, and spent most of their time there.
      sandboxInjectedGlobals: ['Math'],
      transform: { '^.+\\.ts$': swc('es6') },
    },
  ],
};
