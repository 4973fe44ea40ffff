import { defineConfig, devices } from '@playwright/test';
import { chromiumArgs, chromiumPath } from './test/support/chromium';

const executablePath = chromiumPath();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Recording every test for the one that may fail is a quarter of all the work; `npx playwright test <path> --trace on` records the one that did.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) },
  },
});
