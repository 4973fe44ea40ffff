import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
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
  return {
    directory: `https://localhost:${port}/dir`,
    authority,
    root,
    async stop() {
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
