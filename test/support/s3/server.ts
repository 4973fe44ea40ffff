import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { S3Location } from '../../../server/stores/files/types';

const python = '/usr/bin/python3';
const isInstalled = ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server'].every((name) =>
  existsSync(`/usr/bin/${name}`),
);

/** `describe` for tests that need a real S3 server; skipped, with the reason, where Debian's packages of OpenStack Swift are missing (scripts/launcher/swift.mjs installs them). */
export function describeWithS3(name: string, tests: () => void): void {
  if (!isInstalled) process.stderr.write(`Skipped: ${name}. Debian’s packages of OpenStack Swift are not installed; npm run test:s3 installs them as root.\n`);
  (isInstalled ? describe : describe.skip)(name, tests);
}

export type S3Server = {
  /** An empty store; `more`: what differs. */
  readonly location: (more?: Partial<S3Location>) => S3Location;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

/** Starts OpenStack Swift with its S3 interface and a bucket. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 's3-'));
  // The SDK in use is pinned; its warning about later versions is no business of a test.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const child = spawn(python, [fileURLToPath(new URL('server.py', import.meta.url)), folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve((JSON.parse(line) as { port: number }).port));
    void ended.then(() => reject(new Error(`the S3 server does not start: ${said}`)));
  });
  const location = (more: Partial<S3Location> = {}): S3Location => ({
    kind: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'test-files',
    prefix: `${randomUUID()}/`,
    accessKeyId: 'test:writer',
    secretAccessKey: 'testing',
    pathStyle: true,
    ...more,
  });
  const client = clientFor(location());
  await client.send(new CreateBucketCommand({ Bucket: location().bucket }));
  client.destroy();
  return {
    location,
    port,
    async stop() {
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns a separate S3 client with which tests inspect the bucket. */
export const clientFor = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Location): S3Client =>
  new S3Client({
    endpoint: endpoint ?? '',
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
