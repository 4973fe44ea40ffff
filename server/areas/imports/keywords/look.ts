import type { ImportReason } from '../../../../contract/imports/schemas';
import { keywordColumns } from '../../../../contract/imports/keywords';
import type { KeywordEngine, KeywordOptions, KeywordPreview } from '../../../../contract/imports/keywords';
import { cleanText } from '../../../collect/text';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { dayAt } from '../../../zone';
import type { Day } from '../../../zone';
import { importFiles } from '../files';
import type { ImportRecord } from '../queries';
import { engineOf } from './columns';
import type { KeywordColumns } from './columns';
import { eachKeywordTable, periodBeside } from './file';
import { overlapsOf } from './periods';
import { keywordImportsOf } from './stored';
import { keywordRowOf } from './values';

/** Limits of the preview: bytes read, rows in the preview and length of a header. */
const previewLimits = { bytes: 8 * 2 ** 20, rows: 10, header: 200 };

export type KeywordLook = {
  readonly keywords: KeywordPreview;
  readonly lines: number;
  readonly refused: readonly { readonly reason: ImportReason; readonly count: number }[];
};

type PreviewState = {
  columns: KeywordColumns | null;
  names: string[];
  lines: number;
  readonly rows: KeywordPreview['rows'];
  readonly refused: Map<ImportReason, number>;
  days: { from: Day; to: Day } | null;
};

/** Reads the beginning of all uploaded files. Files without keyword tables contribute nothing. */
async function lookThrough(ctx: Context, row: ImportRecord, today: Day): Promise<PreviewState> {
  const state: PreviewState = { columns: null, names: [], lines: 0, rows: [], refused: new Map(), days: null };
  const budget = { left: previewLimits.bytes };
  const refuse = (reason: ImportReason): void => void state.refused.set(reason, (state.refused.get(reason) ?? 0) + 1);
  for (const [index, { name }] of row.files.entries()) {
    if ((await importFiles.storedSize(ctx, row.id, index)) === 0) continue;
    let columns: KeywordColumns | null = null;
    await eachKeywordTable(importFiles.file(ctx, row.id, index), name, budget, {
      begin: (table, found) => {
        columns = found;
        state.columns ??= found;
        state.names.push(name, table.name);
      },
      lines: (lines) => {
        for (const { line, cells, isBroken } of lines) {
          const read = isBroken || columns === null ? 'bad_row' : keywordRowOf(cells, columns, today);
          state.lines += 1;
          if (typeof read === 'string') refuse(read);
          else if (read.day !== null) {
            const { day } = read;
            state.days =
              state.days === null
                ? { from: day, to: day }
                : { from: day < state.days.from ? day : state.days.from, to: day > state.days.to ? day : state.days.to };
          }
          if (state.rows.length < previewLimits.rows)
            state.rows.push(
              typeof read === 'string'
                ? { line, query: cleanText(cells.join(', '), 200), page: '', day: null, clicks: null, impressions: null, position: null, refused: read }
                : { ...read, line, position: read.position === 0 ? null : read.position, refused: null },
            );
        }
        return true;
      },
      stopped: (_table, _line, reason) => refuse(reason),
    }).catch((error: unknown) => {
      // Ignored: files larger than the limit, and truncated archives.
      if ((error instanceof Failure && error.code !== 'too_large') || (error as NodeJS.ErrnoException).code?.startsWith('E')) throw error;
    });
  }
  return state;
}

/** Preview of the files as keywords; null if they contain none. */
export async function lookAtKeywords(ctx: Context, row: ImportRecord, timeZone: string, chosen: KeywordOptions = {}): Promise<KeywordLook | null> {
  const today = dayAt(ctx.now(), timeZone);
  const { columns, names, lines, rows, refused, days } = await lookThrough(ctx, row, today);
  if (columns === null) return null;
  const dated = columns.at.date !== undefined;
  const engine: KeywordEngine | null = chosen.engine ?? engineOf(columns, names);
  const beside = dated ? days : await besides(ctx, row);
  const period = dated ? days : { from: chosen.from ?? beside?.from ?? null, to: chosen.to ?? beside?.to ?? null };
  const [from, to] = [period?.from ?? null, period?.to ?? null];
  const others = (await keywordImportsOf(ctx, row.siteId)).filter(({ id }) => id !== row.id);
  const overlaps = engine === null || from === null || to === null || from > to ? [] : overlapsOf(others, { engine, from, to, dated, number: row.number });
  const placed = keywordColumns.flatMap((column) => {
    const at = columns.at[column];
    return at === undefined ? [] : [{ column, at }];
  });
  return {
    keywords: {
      engine,
      dated,
      from,
      to,
      columns: placed.map(({ column, at }) => ({ column, header: cleanText(columns.headers[at] ?? '', previewLimits.header) })),
      unread: columns.headers
        .filter((header, at) => header.trim() !== '' && !placed.some((one) => one.at === at))
        .map((header) => cleanText(header, previewLimits.header))
        .slice(0, 50),
      rows,
      overlaps: overlaps.map(({ one, wholly }) => ({ id: one.id, name: one.name, from: one.from, to: one.to, wholly })),
    },
    lines,
    refused: [...refused].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
}

async function besides(ctx: Context, row: ImportRecord): Promise<{ from: Day; to: Day } | null> {
  for (const [index, { name }] of row.files.entries()) {
    if ((await importFiles.storedSize(ctx, row.id, index)) === 0) continue;
    const found = await periodBeside(importFiles.file(ctx, row.id, index), name, { left: previewLimits.bytes }).catch(() => null);
    if (found !== null) return found;
  }
  return null;
}
