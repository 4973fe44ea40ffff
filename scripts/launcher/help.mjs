import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './process.mjs';
import { say } from './messages.mjs';

const asksForHelp = (args) => args.includes('--help') || args.includes('-h');

/** `--help` on a fresh clone installs and builds nothing; once the server is built, the server responds itself. */
export const answersHelpHere = (args) => asksForHelp(args) && !existsSync(inRoot('dist/server/main.js'));

/** Returns the settings as plain lines, from docs/settings.md, which is generated from the server's table of settings. */
export function helpBeforeBuild() {
  const rows = readFileSync(inRoot('docs/settings.md'), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [name, option, , byDefault, zh, en] = line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim().replace(/^`|`$/g, ''));
      return [option, name, byDefault === '' ? '-' : byDefault, say(en, zh)];
    });
  const lines = [say(['option', 'environment', 'default', 'meaning'], ['选项', '环境变量', '默认值', '含义']), ...rows];
  const width = (column) => Math.max(...lines.map((line) => line[column].length));
  return [
    say('Usage: npm start -- [options]', '用法：npm start -- [选项]'),
    '',
    ...lines.map((line) => `  ${line[0].padEnd(width(0))}  ${line[1].padEnd(width(1))}  ${line[2].padEnd(width(2))}  ${line[3]}`),
    '',
    say(
      '(From docs/settings.md: nothing is installed or built yet. npm start does both.)',
      '（摘自 docs/settings.md：程序尚未构建，运行 npm start 会自动安装并构建。）',
    ),
  ].join('\n');
}
