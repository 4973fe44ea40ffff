import { existsSync } from 'node:fs';

/** The Chromium found by `npm test`, or the distribution's; `undefined` lets Playwright use its own. */
export const chromiumPath = (): string | undefined =>
  process.env.CHROMIUM_PATH || ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/**
 * No background traffic: only the test's own requests use the network. Chromium's sandbox refuses to run as root. A window prepares the popups of its address
 * bar, which are pages in a process of their own: that costs more than the page of many tests, and no test types an address.
 */
export const chromiumArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=OptimizationHints,MediaRouter,Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];
