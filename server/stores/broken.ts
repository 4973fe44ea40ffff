import { StartFailure } from '../terminalTexts';

const names = {
  postgres: { en: 'PostgreSQL', zh: 'PostgreSQL' },
  clickhouse: { en: 'ClickHouse', zh: 'ClickHouse' },
  journal: { en: 'journal', zh: '访问日志（journal）' },
} as const;

/** The error message for a store that fails to open: the part of the data folder, the store's own message, and how to recover. */
export function brokenStore(part: keyof typeof names, folder: string, said: readonly string[]): StartFailure {
  const reason = (said.at(-1) ?? '').trim();
  return new StartFailure({
    en: `The ${names[part].en} part of the data folder does not open: ${folder}${reason === '' ? '' : ` (${reason})`}. Put this folder back from a backup taken while the program was stopped, or move it away to start empty.`,
    zh: `数据文件夹中的 ${names[part].zh} 部分无法打开：${folder}${reason === '' ? '' : `（${reason}）`}。请用停机时做的备份恢复该文件夹，或将其移走后从空数据开始。`,
  });
}
