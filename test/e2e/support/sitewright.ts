import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort, temporaryFolder } from '../../support/program';

const root = path.join(import.meta.dirname, '../../..');
const main = path.join(root, 'dist/server/main.js');

export type Sitewright = {
  /** Where the console is. */
  readonly origin: string;
  /** The one-time link that makes the first owner. */
  readonly setUpLink: string;
  /** Where sites built here are: `http://<slug>.localhost:<port>`. */
  readonly deliveryPort: number;
  /** Everything the program has said. */
  readonly said: () => string;
  readonly stop: () => Promise<void>;
};

/** Starts the built program as `npm start -- ...options` does, on a folder and ports of its own, behind proxies of this machine, and reads what it prints. */
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
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  const setUpLink = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const link = /one-time link: (\S+)/.exec(said)?.[1];
      if (link !== undefined) resolve(link);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
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
