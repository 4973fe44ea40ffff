import type { Config } from '../../config';
import type { Log } from '../../log';
import { StartFailure } from '../../terminalTexts';
import { makeClickHouse, makeClient } from './client';
import { startEmbeddedClickHouse } from './embedded';
import type { ClickHouse } from './types';

const oldest = [24, 8] as const;

/** Opens `CLICKHOUSE_URL`, or the embedded ClickHouse in the data folder. Throws `StartFailure` with instructions. */
export async function openClickHouse(config: Pick<Config, 'clickhouseUrl' | 'clickhouseMemory' | 'dataDir'>, log: Log): Promise<ClickHouse> {
  if (config.clickhouseUrl !== null) return openRemote(config.clickhouseUrl);
  const embedded = await startEmbeddedClickHouse({ dataDir: config.dataDir, memory: config.clickhouseMemory, log });
  return makeClickHouse(embedded.client, embedded.stop);
}

async function openRemote(url: string): Promise<ClickHouse> {
  const client = makeClient({ url });
  const clickhouse = makeClickHouse(
    () => client,
    () => client.close(),
  );
  try {
    const [row] = await clickhouse.query<{ version: string }>('SELECT version() AS version');
    const [major = 0, minor = 0] = (row?.version ?? '').split('.').map(Number);
    if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
      throw new StartFailure({
        en: `CLICKHOUSE_URL is ClickHouse ${major}.${minor}; ${oldest.join('.')} or newer is needed.`,
        zh: `CLICKHOUSE_URL 指向 ClickHouse ${major}.${minor}，需要 ${oldest.join('.')} 或更新版本。`,
      });
    }
    return clickhouse;
  } catch (cause) {
    await client.close();
    if (cause instanceof StartFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartFailure(
      { en: `ClickHouse at CLICKHOUSE_URL cannot be used: ${reason}`, zh: `无法使用 CLICKHOUSE_URL 指向的 ClickHouse：${reason}` },
      { cause },
    );
  }
}
