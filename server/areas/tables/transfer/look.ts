import { canonicalLanguage } from '../../../../contract/languages';
import type { ImportLook, ReadOptions } from '../../../../contract/tables/transfers';
import { transferLimits } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import { textOfCell } from '../core/write/cellTexts';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { isWritable } from '../core/values/check';
import { tableFileOf } from './archive';
import { typeOf } from './guess';
import type { ImportRow } from './queries';
import { openSource } from './read/open';
import { ReadStop, sourceLimits } from './read/source';
import type { SourceRow } from './read/source';
import { notes } from './messages';

/** Rows from which types are guessed. */
const lookedAt = 1000;
const sampleLength = 200;
const samples = 5;
const sampleText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  (text.length > sampleLength ? `${text.slice(0, sampleLength)}…` : text).replaceAll(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu,
    '\uFFFD',
  );

type Earlier = Pick<ImportRow, 'plan' | 'spool' | 'createdFields'>;
type Guess = { readonly field: string | null; readonly locale: string | null };
const none: Guess = { field: null, locale: null };
const same = (a: string, b: string): boolean => a.normalize('NFKC').trim().toLowerCase() === b.normalize('NFKC').trim().toLowerCase();

/** The field that a column was mapped to last time, else the one with its title, key or alias (`title@en`, `Title (en)`: of a language). */
function fieldFor(name: string, table: TableModel, earlier: readonly Earlier[], usable: (field: FieldModel) => boolean): Guess {
  for (const { plan, spool, createdFields } of earlier) {
    const target = plan?.columns.find((one) => same(spool?.names[one.column] ?? '', name));
    if (!target?.to) continue;
    const field = table.byName.get('field' in target.to ? target.to.field : (createdFields[target.column] ?? ''));
    if (field && usable(field)) return { field: field.id, locale: 'field' in target.to ? (target.to.locale ?? null) : null };
  }
  const byName = (text: string): FieldModel | undefined =>
    table.fields.find((field) => same(field.title, text)) ?? table.byName.get(text.trim()) ?? table.byName.get(text.trim().toLowerCase());
  const whole = byName(name);
  if (whole && usable(whole)) return { field: whole.id, locale: null };
  const [, stem = '', locale = ''] = /^(.+?)\s*[@([]\s*([\w-]{2,20})\s*[)\]]?$/.exec(name) ?? [];
  const field = stem === '' ? undefined : byName(stem);
  const tag = canonicalLanguage(locale).toLowerCase();
  const language = table.locales.find((one) => one.toLowerCase() === tag);
  return field && usable(field) && field.localized && language !== undefined
    ? { field: field.id, locale: language === table.locales[0] ? null : language }
    : none;
}

type Where = {
  readonly model: SiteModel;
  readonly table: TableModel | null;
  readonly reader: Reader;
  readonly earlier: readonly Earlier[];
  readonly locale: Locale;
};

/** Analyses the beginning of a file. Throws `ReadStop` if it cannot be read. */
export async function lookAt(ctx: Context, row: ImportRow, options: ReadOptions, { model, table, reader, earlier, locale }: Where): Promise<ImportLook> {
  const { file, name: fileName } = await tableFileOf(ctx, row);
  const source = await openSource(file, fileName, options);
  try {
    const rows: SourceRow[] = [];
    let stopped: ReadStop | null = null;
    try {
      for await (const batch of source.rows) {
        rows.push(...batch.slice(0, lookedAt - rows.length));
        if (rows.length >= lookedAt) break;
      }
    } catch (error) {
      // Rows before the error can be shown; the dry run will report its line.
      if (!(error instanceof ReadStop) || rows.length === 0) throw error;
      stopped = error;
    }
    if (source.read.format === 'xlsx') await source.skipRest();
    const names = source.names();
    if (names.length === 0) throw stopped ?? new ReadStop('no_columns');
    const read = table ? grantOf(table, reader, 'read') : null;
    const grants = table ? [grantOf(table, reader, 'create'), grantOf(table, reader, 'update')] : [];
    const usable = (field: FieldModel): boolean =>
      read?.covers(field) === true && isWritable(model, field) && grants.some((grant) => grant.allowed && grant.covers(field));
    const usedTargets = new Set<string>();
    const columns = names.map((name, column) => {
      const values = rows.map((one) => textOfCell(one.cells[column])).filter((text) => text.trim() !== '');
      const guess = table ? fieldFor(name, table, earlier, usable) : none;
      const key = `${guess.field}@${guess.locale}`;
      const isFree = guess.field !== null && !usedTargets.has(key);
      if (isFree) usedTargets.add(key);
      return { column, name, samples: [...new Set(values)].slice(0, samples).map(sampleText), type: typeOf(values), ...(isFree ? guess : none) };
    });
    return {
      read: source.read,
      sheets: [...source.sheets],
      columns,
      rows: rows.slice(0, transferLimits.pageRows).map((one) => names.map((_, column) => sampleText(textOfCell(one.cells[column])))),
      notes: notesOf(rows, names, source.merged(), source.read.header, locale),
    };
  } finally {
    source.close();
  }
}

function notesOf(rows: readonly SourceRow[], names: readonly string[], merged: readonly string[], header: number, locale: Locale): string[] {
  const said: string[] = [];
  if (merged.length > 0) said.push(notes.merged(merged, locale));
  const twice = [...new Set(names.filter((name, at) => names.findIndex((other) => same(other, name)) !== at))];
  if (header > 0 && twice.length > 0) said.push(notes.twice(twice, locale));
  if (names.length >= sourceLimits.columns) said.push(notes.tooWide(sourceLimits.columns, locale));
  const broken = rows.filter(({ error }) => error !== null).map(({ line }) => line);
  if (broken.length > 0) said.push(notes.broken(broken.slice(0, 10), locale));
  if (rows.some(({ cells }) => cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD')))) said.push(notes.undecoded(locale));
  return said;
}
