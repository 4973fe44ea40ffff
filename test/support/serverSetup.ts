import { jest } from '@jest/globals';

// A project of Jest has no time limit of its own. Generous, because the cores may be busy with stores and programs: what hangs is still found.
jest.setTimeout(30_000);
