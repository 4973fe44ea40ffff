import { createHash } from 'node:crypto';
import { StartFailure } from '../terminalTexts';

export type Recorded = { readonly id: string; readonly checksum: string };

export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The migrations still to be run, after checking that those recorded match this program's. Throws `StartFailure` for data of a newer version, and for a
 * migration whose text differs from the one that was run.
 */
export function pendingMigrations<M extends Recorded>(store: 'PostgreSQL' | 'ClickHouse', known: readonly M[], recorded: readonly Recorded[]): readonly M[] {
  const checksums = new Map(known.map((migration) => [migration.id, migration.checksum]));
  for (const { id, checksum } of recorded) {
    const expected = checksums.get(id);
    if (expected === undefined) {
      throw new StartFailure({
        en: `The data in ${store} was written by a newer version of the program (step ${id}). Start that version, or restore a backup made by this one.`,
        zh: `${store} 中的数据由更新版本的程序写入（步骤 ${id}）。请启动该版本，或恢复由当前版本所做的备份。`,
      });
    }
    if (expected !== checksum) {
      throw new StartFailure({
        en: `The data in ${store} was made by another build of the program: step ${id} is not the one that was run. Start the build that made it, or use another DATA_DIR.`,
        zh: `${store} 中的数据由程序的另一个构建生成：步骤 ${id} 与已执行的不一致。请启动当时的构建，或换一个 DATA_DIR。`,
      });
    }
  }
  const done = new Set(recorded.map(({ id }) => id));
  return known.filter(({ id }) => !done.has(id));
}
