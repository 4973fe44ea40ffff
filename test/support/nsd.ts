import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from './until';

const program = '/usr/sbin/nsd';

/** Installs the package of a program where this process may install packages. Returns whether the program is installed. Synchronous: tests are declared after it. */
export function ensureInstalled(file: string, packageName: string): boolean {
  if (existsSync(file) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return existsSync(file);
  const run = (...args: string[]): number | null =>
    spawnSync('/usr/bin/apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' }).status;
  const install = ['install', '-y', '--no-install-recommends', packageName];
  if (run(...install) !== 0) {
    run('update');
    run(...install);
  }
  return existsSync(file);
}

const isInstalled = ensureInstalled(program, 'nsd');
/** Whether a name server can be started. If not, prints why the tests are skipped. */
export function hasNameServer(tests: string): boolean {
  if (!isInstalled) process.stderr.write(`Skipped: ${tests}. NSD is not installed (Debian: apt-get install nsd, as root).\n`);
  return isInstalled;
}
/** `describe` for tests that need a name server; skipped, with the reason, where NSD cannot be installed. */
export function describeWithDns(name: string, tests: () => void): void {
  (hasNameServer(name) ? describe : describe.skip)(name, tests);
}

/** An authoritative name server of one zone on loopback. */
export type NameServer = {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Replaces the records of the zone, in the format of zone files (`www IN A 192.0.2.1`), and waits until they are served. */
  readonly serve: (records: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const configuration = (folder: string, port: number, zone: string): string => `server:
  ip-address: 127.0.0.1
  port: ${port}
  server-count: 1
  username: ""
  zonesdir: "${folder}"
  pidfile: ""
  database: ""
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
remote-control:
  control-enable: no
zone:
  name: ${zone}
  zonefile: zone
`;

export async function startNameServer(zone: string): Promise<NameServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nsd-'));
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([address]);
  let serial = 0;
  let server: ChildProcess | null = null;
  await writeFile(path.join(folder, 'nsd.conf'), configuration(folder, port, zone));

  async function serve(records: readonly string[]): Promise<void> {
    serial += 1;
    const head = [`$ORIGIN ${zone}.`, '$TTL 1', `@ IN SOA ns hostmaster ${serial} 60 60 60 1`, '@ IN NS ns', 'ns IN A 127.0.0.1'];
    await writeFile(path.join(folder, 'zone'), `${[...head, ...records].join('\n')}\n`);
    server ??= spawn(program, ['-d', '-c', path.join(folder, 'nsd.conf')], { stdio: 'ignore' });
    const served = async (): Promise<number | undefined> => (await resolver.resolveSoa(zone).catch(() => null))?.serial;
    let polls = 0;
    await until(async () => {
      const found = await served();
      // Only a running server handles the signal; it is repeated, because a reload that runs already may have read the file before.
      if (found !== undefined && found !== serial && polls++ % 25 === 0) server?.kill('SIGHUP');
      return found === serial;
    });
  }
  await serve([]);
  return {
    address,
    serve,
    async stop() {
      const running = server;
      if (running && running.exitCode === null) {
        const ended = new Promise((resolve) => running.once('exit', resolve));
        running.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
