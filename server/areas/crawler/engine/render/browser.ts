import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { BrowserGone, createDevtools } from './devtools';
import type { Devtools } from './devtools';

const startTimeout = 20_000;
/** Memory of all processes of a browser that no file backs. */
const mostMemory = 1536 * 2 ** 20;
const memoryEvery = 1000;
const profilePrefix = 'sitewright-chromium-';

export type Browser = Devtools & {
  /** Ends all its processes at once and removes its profile. */
  readonly kill: () => void;
  readonly isOver: () => boolean;
};

/**
 * Chromium has no network: its only proxy closes every connection, also those to this machine, it resolves no name, and no UDP goes past the proxy. What pages get, they get from the
 * crawl, which answers their requests (`answers.ts`); what is not intercepted there (WebSocket, WebRTC, WebTransport, workers, service workers, prefetches, requests of the browser
 * itself) fails.
 */
const withoutNetwork = (port: number): readonly string[] => [
  `--proxy-server=http://127.0.0.1:${port}`,
  // Otherwise loopback and link-local addresses are not proxied.
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
];
const usualFlags: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--mute-audio',
  '--hide-scrollbars',
  '--block-new-web-contents',
  '--password-store=basic',
  '--use-mock-keychain',
  // Tall, because many pages add what is in the window only.
  '--window-size=1280,2400',
  '--renderer-process-limit=4',
  '--js-flags=--max-old-space-size=384',
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LocalNetworkAccessChecks,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider',
  // Chromium's sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {
    // Its last process still writes, or it belongs to another user: a browser that is started later removes it, if that may.
  }
}
/** A profile for one browser; its name has the process that removes it. Those of processes that were killed are removed here. */
function newProfile(): string {
  const folder = tmpdir();
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(profilePrefix) ? Number(name.slice(profilePrefix.length).split('-', 1)[0]) : 0;
    if (pid > 0 && !isAlive(pid)) removeProfile(path.join(folder, name));
  }
  return mkdtempSync(path.join(folder, `${profilePrefix}${process.pid}-`));
}

const refusingProxy = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => void socket.destroy());
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server.unref()));
  });

/** Bytes of memory of processes that no file backs; 0 where the system does not say. */
function memoryOf(pids: readonly number[]): number {
  let bytes = 0;
  for (const pid of pids) {
    try {
      bytes += Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // It has ended, or the system has no such files.
    }
  }
  return bytes;
}

function launch(executable: string, profile: string, port: number, userAgent: string): ChildProcess {
  const flags = [...usualFlags, ...withoutNetwork(port), `--user-data-dir=${profile}`, `--user-agent=${userAgent}`, 'about:blank'];
  return spawn(executable, flags, {
    // A process group of its own, which is ended as a whole. If this process is killed, the pipe closes, and Chromium ends itself.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8' },
  });
}

/** Starts Chromium. Rejects if it does not start or answer. */
export async function startBrowser(executable: string, userAgent: string): Promise<Browser> {
  const proxy = await refusingProxy();
  const profile = newProfile();
  const child = launch(executable, profile, (proxy.address() as AddressInfo).port, userAgent);
  const [, , , input, output] = child.stdio;
  let isOver = false;
  let watch: NodeJS.Timeout | null = null;

  function kill(): void {
    if (isOver) return;
    isOver = true;
    if (watch !== null) clearInterval(watch);
    devtools.close();
    proxy.close();
    process.off('exit', kill);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    removeProfile(profile);
  }
  const devtools = createDevtools(input as Writable, output as Readable, kill);
  child.on('error', kill);
  child.on('exit', kill);
  process.on('exit', kill);

  async function checkMemory(): Promise<void> {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    if (memoryOf((processInfo as readonly { readonly id: number }[]).map(({ id }) => id)) > mostMemory) kill();
  }
  const late = setTimeout(kill, startTimeout);
  try {
    await devtools.send('Browser.getVersion');
  } catch (error) {
    kill();
    throw error instanceof BrowserGone ? error : new BrowserGone();
  } finally {
    clearTimeout(late);
  }
  watch = setInterval(() => void checkMemory().catch(() => undefined), memoryEvery);
  watch.unref();
  return { ...devtools, kill, isOver: () => isOver };
}
