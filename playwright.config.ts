import { defineConfig, devices } from '@playwright/test';
import { chromiumArgs, chromiumPath } from './test/support/chromium';

const executablePath = chromiumPath();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  // A third worker on two cores saved little time, and more tests met pages that were still loading.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Traces of every test take a quarter of the run time; `npx playwright test <path> --trace on` records a failed test on demand.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) },
  },
});
