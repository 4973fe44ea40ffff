import { findProgram, isExecutable } from '../../../../kit/installedProgram';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome-headless-shell', 'microsoft-edge-stable'];
const macApps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** The Chromium that renders pages. `setting`: that of `CHROMIUM_PATH`, a path or `off`; empty: it is looked for. Null: none. */
export function findChromium(setting: string): string | null {
  if (setting === 'off') return null;
  if (setting !== '') return isExecutable(setting) ? setting : null;
  return findProgram(names) ?? macApps.find(isExecutable) ?? null;
}
