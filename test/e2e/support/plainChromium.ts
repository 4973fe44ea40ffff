import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../../support/chromium';

/** A Chromium without remote control, opened at `address`. */
export async function startPlainChromium(address: string): Promise<{ readonly stop: () => Promise<void> }> {
  const profile = await mkdtemp(path.join(tmpdir(), 'chromium-'));
  const browser = spawn(chromiumPath() ?? chromium.executablePath(), ['--headless=new', ...chromiumArgs, `--user-data-dir=${profile}`, address], {
    stdio: 'ignore',
  });
  const ended = once(browser, 'exit');
  return {
    async stop() {
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
