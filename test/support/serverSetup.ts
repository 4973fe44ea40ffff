import { jest } from '@jest/globals';

// A Jest project has no time limit of its own. Generous, because stores and programs may occupy the cores: a hanging test is still found.
jest.setTimeout(30_000);
