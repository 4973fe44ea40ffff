import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumPath } from '../../support/chromium';
import { freePort, temporaryFolder } from '../../support/program';

const root = path.join(import.meta.dirname, '../../..');
const main = path.join(root, 'dist/server/main.js');

export type Sitewright = {
  /** The console's origin. */
  readonly origin: string;
  /** The one-time link that creates the first owner. */
  readonly setUpLink: string;
  /** The origin of sites built here: `http://<slug>.localhost:<port>`. */
  readonly deliveryPort: number;
  /** All output of the program. */
  readonly said: () => string;
  readonly stop: () => Promise<void>;
};

/** Starts the built program like `npm start -- ...options`, with its own folder and ports, behind local proxies, and reads its output. */
export async function startSitewright(...options: readonly string[]): Promise<Sitewright> {
  if (!existsSync(main)) throw new Error('The program has not been built: npm run build');
  const folder = temporaryFolder();
  const [port, deliveryPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...options], {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      LANG: 'C',
      LC_ALL: 'C',
      HOST: 'localhost',
      PORT: String(port),
      DELIVERY_PORT: String(deliveryPort),
      DATA_DIR: folder.dataDir,
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: 'loopback',
      // Crawlers of tests read sites of this machine.
      PRIVATE_SITES: '1',
      CHROMIUM_PATH: chromiumPath() ?? chromium.executablePath(),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  const setUpLink = await new Promise<string>((resolve, reject) => {
    const readOutput = (chunk: Buffer): void => {
      said += chunk.toString();
      const link = /one-time link: (\S+)/.exec(said)?.[1];
      if (link !== undefined) resolve(link);
    };
    child.stdout.on('data', readOutput);
    child.stderr.on('data', readOutput);
    void ended.then(() => reject(new Error(`The program left: ${said}`)));
  });
  return {
    origin: new URL(setUpLink).origin,
    setUpLink,
    deliveryPort,
    said: () => said,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      folder.remove();
    },
  };
}
