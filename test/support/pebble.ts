import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describeWithDns, ensureInstalled, freePort } from './nsd';
import { until } from './until';

const program = '/usr/bin/pebble';

/** Pebble is the ACME server that Let's Encrypt tests clients with. */
const isInstalled = ensureInstalled(program, 'pebble') && existsSync('/usr/bin/openssl');
/** `describe` for tests that need an ACME server and a name server; skipped, with the reason, where these cannot be installed. */
export function describeWithAcme(name: string, tests: () => void): void {
  if (!isInstalled) process.stderr.write(`Skipped: ${name}. Pebble (Debian: apt-get install pebble, as root) or openssl is not installed.\n`);
  (isInstalled ? describeWithDns : describe.skip)(name, tests);
}

export type AcmeServer = {
  readonly directory: string;
  /** PEM: signs the server's own certificate. */
  readonly authority: string;
  /** PEM: the root of the certificates that it issues. */
  readonly root: string;
  /** Renewal information (RFC 9773), which Debian's Pebble does not have yet: `suggest` sets the window of all certificates, and `requestedIds` are the ids that were asked for. */
  readonly suggest: (window: { readonly start: Date; readonly end: Date } | null) => void;
  readonly requestedIds: readonly string[];
  readonly stop: () => Promise<void>;
};

const read = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { ca }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

/** A directory that is the one of Pebble with renewal information. */
async function startRenewalInfo(pebble: string, identity: { readonly key: string; readonly cert: string }) {
  const requestedIds: string[] = [];
  let window: { readonly start: Date; readonly end: Date } | null = null;
  const server = createServer(identity, (incoming, response) => {
    const id = /^\/renewal-info\/(.+)$/.exec(incoming.url ?? '')?.[1];
    if (id !== undefined) {
      requestedIds.push(id);
      response.writeHead(window === null ? 404 : 200, { 'retry-after': '60' }).end(window && JSON.stringify({ suggestedWindow: window }));
      return;
    }
    read(pebble, identity.cert).then(
      (text) => response.end(JSON.stringify({ ...(JSON.parse(text) as object), renewalInfo: `${origin}/renewal-info` })),
      () => response.writeHead(502).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${String((server.address() as AddressInfo).port)}`;
  return {
    directory: `${origin}/dir`,
    requestedIds,
    suggest: (next: typeof window) => {
      window = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts Pebble. It validates by HTTP-01 at `httpPort` of the addresses that the name server gives. */
export async function startAcmeServer({ httpPort, nameServer }: { readonly httpPort: number; readonly nameServer: string }): Promise<AcmeServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pebble-'));
  const at = (name: string): string => path.join(folder, name);
  const [port, management] = [await freePort(), await freePort()];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    '/usr/bin/openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', at('key.pem'), '-out', at('cert.pem'), ...subject],
    {
      stdio: 'ignore',
    },
  );
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at('cert.pem'),
    privateKey: at('key.pem'),
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  await writeFile(at('pebble.json'), JSON.stringify({ pebble }));
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' };
  const server = spawn(program, ['-config', at('pebble.json'), '-dnsserver', nameServer, '-strict'], { stdio: 'ignore', env });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const authority = readFileSync(at('cert.pem'), 'utf8');
  let root = '';
  await until(async () => {
    root = await read(`https://localhost:${management}/roots/0`, authority).catch(() => '');
    return root !== '';
  });
  const renewals = await startRenewalInfo(`https://localhost:${port}/dir`, { key: readFileSync(at('key.pem'), 'utf8'), cert: authority });
  return {
    ...renewals,
    authority,
    root,
    async stop() {
      renewals.close();
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
