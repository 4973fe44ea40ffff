import { jest } from '@jest/globals';
import { agreementTests } from './agreement';
import { everyFilterTests } from './everyFilter';
import { insightTests } from './insights';
import { openOracle } from './program';
import type { Oracle } from './program';
import { screenTests } from './screens';

jest.setTimeout(240_000);

// Filling the stores takes as long as dozens of reports, so these comparisons share a program.
let oracle: Oracle;
beforeAll(async () => {
  oracle = await openOracle();
});
afterAll(() => oracle.close());
const program = (): Oracle => oracle;

describe('every filter', () => {
  everyFilterTests(program);
});
describe('agreement', () => {
  agreementTests(program);
});
describe('screens', () => {
  screenTests(program);
});
describe('insights', () => {
  insightTests(program);
});
