import type { ImportReason } from '../../../../contract/imports/schemas';
import { keywordLimits } from '../../../../contract/imports/keywords';
import { dayAt } from '../../../zone';
import { importFiles } from '../files';
import { refuse, includeTime } from '../progress';
import { changeImport, countKeywords } from '../queries';
import { Truncated } from '../reader';
import type { Reading } from '../readTables';
import { maskLine } from '../sample';
import type { KeywordColumns } from './columns';
import { eachKeywordTable } from './file';
import { keywordRowOf } from './values';
import type { KeywordRow } from './values';

/** Maximum rows, and characters, stored per insert. */
const batch = { rows: 10_000, characters: 4 * 2 ** 20 };
const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Reads keyword reports into `imported_keywords`. An interrupted import starts again: the same rows replace themselves. */
export async function readKeywords(reading: Reading): Promise<void> {
  const { ctx, job, row, site, progress, before } = reading;
  const { keywords } = row;
  if (keywords === null) return;
  const today = dayAt(ctx.now(), site.timeZone);
  const budget = { left: keywordLimits.bytes, onRead: (bytes: number) => void (read += bytes) };
  let read = 0;
  let readRows = 0;
  let waiting: KeywordRow[] = [];
  let characters = 0;
  let batches = 0;

  const flush = async (): Promise<void> => {
    if (waiting.length > 0) {
      const rows = waiting.map(({ day, ...rest }) => ({ site_id: row.siteId, import_id: row.number, day: day ?? keywords.from, ...rest }));
      await ctx.clickhouse.insert('imported_keywords', rows, { token: `keywords ${row.number} ${batches}` });
    }
    batches += 1;
    [waiting, characters] = [[], 0];
    await job.progress(progress.read, row.total);
  };

  for (const [index, { name, size }] of row.files.entries()) {
    progress.file = index;
    read = 0;
    let columns: KeywordColumns | null = null;
    let tableName = name;
    const refused = (reason: ImportReason, line: number, cells: readonly string[]): void =>
      refuse(progress, reason, () => ({ file: tableName, line, text: maskLine(cells.join(',').slice(0, 1000)) }));
    try {
      await eachKeywordTable(importFiles.file(ctx, row.id, index), name, budget, {
        begin: (table, found) => {
          [columns, tableName] = [found, table.name];
        },
        lines: async (lines) => {
          for (const { line, cells, isBroken } of lines) {
            progress.lines += 1;
            const found = isBroken || columns === null ? 'bad_row' : keywordRowOf(cells, columns, today);
            if (typeof found === 'string') refused(found, line, cells);
            else if (keywords.dated && found.day === null) refused('bad_time', line, cells);
            else {
              includeTime(progress, midnight(found.day ?? keywords.from));
              includeTime(progress, midnight(found.day ?? keywords.to));
              waiting.push(found);
              characters += found.query.length + found.page.length;
              readRows += 1;
            }
          }
          progress.read = before(index) + Math.min(size, read);
          if (waiting.length >= batch.rows || characters >= batch.characters) await flush();
          return true;
        },
        stopped: (table, line, reason) => {
          tableName = table.name;
          refused(reason, line, []);
        },
      });
    } catch (error) {
      // The contents of a truncated zip file cannot be listed.
      if (!(error instanceof Truncated) && !/end of central directory/i.test(error instanceof Error ? error.message : '')) throw error;
      refused('truncated', 0, []);
    }
    progress.read = before(index + 1);
  }
  await flush();
  progress.accepted = await countKeywords(ctx.clickhouse, row.siteId, row.number);
  progress.repeated = readRows - progress.accepted;
  if (keywords.dated && progress.firstAt !== null && progress.lastAt !== null) {
    const [from, to] = [dayAt(progress.firstAt, 'UTC'), dayAt(progress.lastAt, 'UTC')];
    await changeImport(ctx.postgres.db, row.id, { keywords: { ...keywords, from, to } });
  }
}
