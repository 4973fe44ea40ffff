import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failed } from './failed.mjs';
import { runCommand, runNode } from './process.mjs';
import { say } from './messages.mjs';
import { installPackages, mayInstallPackages } from './packages.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge-stable'];
const macApps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/**
 * Finds the browser for the browser tests: the one in CHROMIUM_PATH, an installed one, one from Debian's packages where this process may install them, or
 * Playwright's own. Returns its path, or null when Playwright finds its own.
 */
export async function findChromium() {
  const found = installedChromium();
  if (found !== null) {
    await ensureChineseFont();
    return found;
  }
  if (hasPlaywrights()) return null;
  if (mayInstallPackages()) {
    console.log(say('Installing Chromium from the system’s packages…', '从系统软件包安装 Chromium…'));
    const { output } = await installPackages('chromium', 'fonts-noto-cjk');
    const now = installedChromium();
    if (now !== null) return now;
    console.log(output.trim().split('\n').slice(-3).join('\n'));
  }
  console.log(say('Installing Playwright’s Chromium…', '安装 Playwright 自带的 Chromium…'));
  const { code } = await runNode(['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (code !== 0)
    throw new Failed(
      say(
        'No Chromium for the browser tests. Install one and name it in CHROMIUM_PATH.',
        '没有可用于浏览器测试的 Chromium。请安装后用 CHROMIUM_PATH 指明路径。',
      ),
    );
  return null;
}

/** The browser tests measure Chinese text: without a font for it, every character is a narrow box. */
async function ensureChineseFont() {
  if (onPath('fc-list') === null || !mayInstallPackages()) return;
  const { code, output } = await runCommand('fc-list', [':lang=zh'], { quiet: true });
  if (code !== 0 || output.trim() !== '') return;
  console.log(say('Installing a Chinese font…', '安装中文字体…'));
  await installPackages('fonts-noto-cjk');
}

function installedChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Failed(say(`CHROMIUM_PATH=${named} is not there.`, `CHROMIUM_PATH=${named} 不存在。`));
    return named;
  }
  for (const name of names) {
    const at = onPath(name);
    if (at !== null) return at;
  }
  return macApps.find((app) => existsSync(app)) ?? null;
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Whether Playwright has already downloaded its browser, which must also be found offline. */
function hasPlaywrights() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH || path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  return existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('chromium'));
}
