import { flagOf, settings } from './settings';
import type { Setting } from './settings';
import { speaksChinese } from './terminalTexts';

const table: readonly Setting[] = settings;

/** The output of `--help`, in the language of the terminal. */
export function helpText(env: NodeJS.ProcessEnv): string {
  const zh = speaksChinese(env);
  const rows = table.map(
    (setting) => [flagOf(setting.name), setting.name, setting.default === '' ? '-' : setting.default, zh ? setting.meaning.zh : setting.meaning.en] as const,
  );
  const head = zh ? (['选项', '环境变量', '默认值', '含义'] as const) : (['option', 'environment', 'default', 'meaning'] as const);
  const width = (column: 0 | 1 | 2) => Math.max(...[head, ...rows].map((row) => row[column].length));
  const lines = [head, ...rows].map((row) => `  ${row[0].padEnd(width(0))}  ${row[1].padEnd(width(1))}  ${row[2].padEnd(width(2))}  ${row[3]}`);
  const title = zh ? '用法：npm start -- [选项]' : 'Usage: npm start -- [options]';
  return `${title}\n\n${lines.join('\n')}\n`;
}

/** docs/settings.md: the same table in both languages. */
export function settingsPage(): string {
  const row = (setting: Setting) =>
    `| \`${setting.name}\` | \`${flagOf(setting.name)}\` | ${setting.type} | ${setting.default === '' ? '' : `\`${setting.default}\``} | ${setting.meaning.zh} | ${setting.meaning.en} |`;
  return [
    '# 设置 · Settings',
    '',
    '每项都可写在环境变量或命令行里，命令行优先。本页由 `npm run docs:settings` 生成。',
    'Each may be given in the environment or on the command line; the command line wins. Made by `npm run docs:settings`.',
    '',
    '| 环境变量 · environment | 选项 · option | 类型 · type | 默认 · default | 含义 | meaning |',
    '|---|---|---|---|---|---|',
    ...table.map(row),
    '',
  ].join('\n');
}
