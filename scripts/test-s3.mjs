/** `npm run test:s3`: the tests that need a real S3 server, and those of resources with their files in a bucket, on OpenStack Swift from Debian's packages, which it installs when run as root. */
import { spawnSync } from 'node:child_process';
import { ensureSwift } from './launcher/swift.mjs';
import { say } from './launcher/messages.mjs';

if (!(await ensureSwift())) {
  console.log(
    say(
      'The S3 tests need OpenStack Swift (Debian: apt-get install swift-proxy swift-account swift-container swift-object python3-lxml, as root).',
      'S3 测试需要 OpenStack Swift（Debian：以 root 运行 apt-get install swift-proxy swift-account swift-container swift-object python3-lxml）。',
    ),
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    'server',
    '--testPathPatterns',
    '[sS]3\\.test|integration/(resources|tablesFiles)',
    ...process.argv.slice(2),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', TEST_FILES: 's3', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
  },
);
process.exit(status ?? 1);
