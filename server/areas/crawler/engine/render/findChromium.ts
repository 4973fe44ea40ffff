import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome-headless-shell', 'microsoft-edge-stable'];
const macApps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Chromium that renders pages. `setting`: that of `CHROMIUM_PATH`, a path or `off`; empty: it is looked for. Null: none. */
export function findChromium(setting: string): string | null {
  if (setting === 'off') return null;
  if (setting !== '') return isExecutable(setting) ? setting : null;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const files = [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...macApps];
  return files.find(isExecutable) ?? null;
}
