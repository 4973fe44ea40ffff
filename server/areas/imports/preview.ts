import { isFigures } from '../../../contract/imports/schemas';
import type { ImportFormat, ImportOptions, ImportPreview, ImportReason } from '../../../contract/imports/schemas';
import { normalizePath } from '../../../contract/paths';
import { deviceOf, maskAddress } from '../../collect/classify';
import { cleanText } from '../../collect/text';
import type { Context } from '../../context';
import type { StoredFile } from '../../stores/files/storedFile';
import type { IndexedSite } from '../sites';
import { importFiles } from './files';
import { lookAtKeywords } from './keywords/look';
import { detectLog, guessFields, readLogLine } from './logLine';
import type { FieldNames, LogFormat, LogLine } from './logLine';
import { pageViewOf } from './pageView';
import type { ViewRules } from './pageView';
import { plausibleDay, plausibleTable } from './plausible';
import { countScriptViews } from './queries';
import type { ImportRecord } from './queries';
import { ownHost } from './readLog';
import { firstOf, kindOf, linesOf, openFile, Truncated } from './reader';
import { rowsOf, tablesOf } from './tables';
import type { Record_, Table } from './tables';
import { createUmamiHits, isPropsTable, isUmamiHeader } from './umami';
import { openNaming } from './naming';

/** Limits of the preview: bytes read, lines parsed and lines in the preview. */
const previewLimits = { bytes: 2 * 2 ** 20, lines: 2000, previewed: 20 };

type PreviewLine = ImportPreview['lines'][number];
type Looked = Pick<ImportPreview, 'detected' | 'format' | 'fields' | 'zoneOffset' | 'lines' | 'sample' | 'firstAt' | 'lastAt' | 'keywords'>;

/** The first lines of a file, even if it has not been uploaded completely. */
async function firstLines(file: StoredFile): Promise<string[]> {
  const opened = await openFile(file, 0);
  const lines: string[] = [];
  try {
    for await (const some of linesOf(firstOf(opened.bytes, previewLimits.bytes), 0)) {
      for (const { text } of some) if (text !== null && text.trim() !== '') lines.push(text);
      if (lines.length >= previewLimits.lines) break;
    }
  } catch (error) {
    if (!(error instanceof Truncated)) throw error;
  } finally {
    opened.close();
  }
  return lines.slice(0, previewLimits.lines);
}

/** The last lines of an uncompressed file. */
async function lastLines(file: StoredFile): Promise<string[]> {
  if ((await kindOf(file)) !== 'plain') return [];
  const size = (await file.stat())?.size ?? 0;
  const opened = await openFile(file, Math.max(0, size - 128 * 1024));
  const lines: string[] = [];
  for await (const some of linesOf(opened.bytes, 0)) lines.push(...some.flatMap(({ text }) => text ?? []));
  return lines.slice(-50);
}

const count = (reasons: readonly (ImportReason | null)[]): ImportPreview['sample'] => {
  const counts = new Map<ImportReason, number>();
  for (const reason of reasons) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    lines: reasons.length,
    accepted: reasons.filter((reason) => reason === null).length,
    refused: [...counts].map(([reason, n]) => ({ reason, count: n })).sort((a, b) => b.count - a.count),
  };
};

const nothing: Looked = {
  detected: null,
  format: null,
  fields: {},
  zoneOffset: null,
  lines: [],
  sample: { lines: 0, accepted: 0, refused: [] },
  firstAt: null,
  lastAt: null,
  keywords: null,
};

function previewLine(line: LogLine | null, index: number, text: string, refused: ImportReason | null): PreviewLine {
  return {
    line: index + 1,
    at: line === null || Number.isNaN(line.at) ? null : line.at,
    address: line === null ? '' : maskAddress(line.address) || cleanText(line.address, 60),
    method: cleanText(line?.method ?? '', 10),
    host: cleanText(line?.host ?? '', 255),
    path: cleanText(line === null ? text : normalizePath(line.target.slice(0, 2000)), 200),
    status: line !== null && Number.isInteger(line.status) ? line.status : 0,
    browser: line === null ? '' : deviceOf(line.agent).browser,
    refused,
  };
}

async function lookAtLog(ctx: Context, row: ImportRecord, rules: ViewRules, options: ImportOptions): Promise<Looked> {
  const lines = await firstLines(importFiles.file(ctx, row.id, 0));
  const detected = detectLog(lines);
  const format = (options.format ?? detected) as LogFormat | null;
  if (format === null) return { ...nothing, lines: lines.slice(0, 5).map((text, i) => previewLine(null, i, cleanText(text, 200), 'not_a_line')) };
  const fields: FieldNames = { ...guessFields(lines), ...options.fields };
  const read = lines.map((text) => {
    const line = readLogLine(text, format, fields);
    const found = line === null ? 'not_a_line' : pageViewOf(line, rules);
    return { text, line, refused: typeof found === 'string' ? found : null };
  });
  const times = read.flatMap(({ line }) => (line === null || Number.isNaN(line.at) ? [] : [line.at]));
  const ends = (await lastLines(importFiles.file(ctx, row.id, row.files.length - 1)).catch(() => [])).flatMap((text) => {
    const at = readLogLine(text, format, fields)?.at ?? Number.NaN;
    return Number.isNaN(at) ? [] : [at];
  });
  return {
    detected,
    format,
    fields: format === 'json' ? fields : {},
    zoneOffset: read.find(({ line }) => line !== null && line.zone !== null)?.line?.zone ?? null,
    lines: read.slice(0, previewLimits.previewed).map(({ text, line, refused }, i) => previewLine(line, i, cleanText(text, 200), refused)),
    sample: count(read.map(({ refused }) => refused)),
    firstAt: times.length === 0 ? null : Math.min(...times),
    lastAt: ends.length === 0 ? null : Math.max(...ends),
    keywords: null,
  };
}

async function firstRows(tables: readonly Table[]): Promise<{ table: Table; records: Record_[] }[]> {
  const found: { table: Table; records: Record_[] }[] = [];
  for (const table of tables) {
    const records: Record_[] = [];
    try {
      const beginning: Table = { name: table.name, open: async () => firstOf((await table.open()) as AsyncIterable<Buffer>, previewLimits.bytes) };
      for await (const some of rowsOf(beginning, () => undefined, previewLimits.lines)) {
        records.push(...some);
        break;
      }
    } catch (error) {
      if (!(error instanceof Truncated)) throw error;
    }
    found.push({ table, records });
  }
  return found;
}

async function lookAtTables(ctx: Context, row: ImportRecord, site: IndexedSite): Promise<Looked | null> {
  const file = importFiles.file(ctx, row.id, 0);
  const opened = await tablesOf(file, row.files[0]?.name ?? '').catch(() => null);
  if (opened === null) return null;
  try {
    const plausible = opened.tables.filter((table) => plausibleTable(table.name) !== null);
    if (plausible.length > 0) {
      const rows = (await firstRows(plausible.slice(0, 12))).flatMap(({ table, records }) => {
        const kind = plausibleTable(table.name);
        return records.map((record) => ({ table, record, day: kind === null ? null : plausibleDay(record.row, record.line, kind) }));
      });
      const times = rows.flatMap(({ day }) => (day === null ? [] : [Date.parse(`${day.day}T00:00:00Z`)]));
      return {
        ...nothing,
        detected: 'plausible',
        format: 'plausible',
        lines: rows.slice(0, previewLimits.previewed).map(({ table, record, day }) => ({
          ...previewLine(null, record.line - 1, '', day === null ? 'bad_row' : null),
          at: day === null ? null : Date.parse(`${day.day}T00:00:00Z`),
          host: table.name,
          path: day?.key ?? '',
        })),
        sample: count(rows.map(({ day }) => (day === null ? 'bad_row' : null))),
        firstAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
        lastAt: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
      };
    }
    const rows = (await firstRows(opened.tables.filter((table) => !isPropsTable(table)).slice(0, 3))).flatMap(({ records }) => records);
    if (!isUmamiHeader(Object.keys(rows[0]?.row ?? {}))) return null;
    const make = createUmamiHits(openNaming(ctx.secrets), site, ownHost(site), 'count', ctx.now(), 0);
    const read = rows.map((record) => ({ record, hit: make(record.row, '') }));
    const times = read.flatMap(({ hit }) => (typeof hit === 'string' ? [] : [hit.at]));
    return {
      ...nothing,
      detected: 'umami',
      format: 'umami',
      lines: read.slice(0, previewLimits.previewed).map(({ record, hit }) => ({
        ...previewLine(null, record.line - 1, '', typeof hit === 'string' ? hit : null),
        ...(typeof hit === 'string' ? {} : { at: hit.at, host: hit.host, path: hit.path, method: hit.name, browser: hit.browser }),
      })),
      sample: count(read.map(({ hit }) => (typeof hit === 'string' ? hit : null))),
      firstAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    };
  } finally {
    opened.close();
  }
}

async function lookAtFigures(ctx: Context, row: ImportRecord, timeZone: string, chosen: ImportOptions['keywords']): Promise<Looked | null> {
  const found = await lookAtKeywords(ctx, row, timeZone, chosen);
  if (found === null) return null;
  const refused = found.refused.reduce((sum, { count: n }) => sum + n, 0);
  return {
    ...nothing,
    detected: 'keywords',
    format: 'keywords',
    sample: { lines: found.lines, accepted: Math.max(0, found.lines - refused), refused: [...found.refused] },
    keywords: found.keywords,
  };
}

/** Preview of the beginning of an import, with a suggested counting mode. */
export async function previewOf(
  ctx: Context,
  row: ImportRecord,
  site: IndexedSite,
  options: ImportOptions,
): Promise<Omit<ImportPreview, 'sameAs' | 'sameMode'>> {
  const rules = { now: ctx.now(), hosts: site.hosts, host: ownHost(site) };
  const asTable: readonly (ImportFormat | undefined)[] = [undefined, 'umami', 'plausible'];
  const found =
    (asTable.includes(options.format) ? await lookAtTables(ctx, row, site) : null) ??
    (options.format === undefined || options.format === 'keywords' ? await lookAtFigures(ctx, row, site.timeZone, options.keywords) : null) ??
    (await lookAtLog(ctx, row, rules, options));
  const overlap =
    found.firstAt === null || isFigures(found.format) ? 0 : await countScriptViews(ctx.clickhouse, row.siteId, found.firstAt, found.lastAt ?? ctx.now());
  return { ...found, suggested: overlap > 0 ? 'compare' : 'count', overlap };
}
