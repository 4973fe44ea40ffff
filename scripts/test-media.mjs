/** `npm run test:media`: the conversion of videos by the real ffmpeg from Debian's packages, which it installs when run as root. */
import { spawnSync } from 'node:child_process';
import { ensureFfmpeg } from './launcher/ffmpeg.mjs';
import { say } from './launcher/messages.mjs';

if (!(await ensureFfmpeg())) {
  console.log(
    say(
      'The tests of video conversion need ffmpeg and ffprobe in /usr/bin (Debian: apt-get install ffmpeg, as root).',
      '视频转换的测试需要 /usr/bin 里的 ffmpeg 和 ffprobe（Debian：以 root 运行 apt-get install ffmpeg）。',
    ),
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--selectProjects', 'server', '--testPathPatterns', 'integration/resources(Conversion|Ffmpeg)', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
  },
);
process.exit(status ?? 1);
