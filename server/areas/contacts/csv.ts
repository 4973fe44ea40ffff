import { CsvError, parse } from 'csv-parse/sync';
import { headerKey } from './importTerms';
import type { ImportedKey, ImportedLine } from './importTerms';

/** The most frequent separator in the header: a table copied from a spreadsheet has tabs, one saved in Europe semicolons. */
function delimiterOf(header: string): string {
  const count = (sign: string): number => header.split(sign).length;
  return [',', '\t', ';'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

type Parsed = { readonly record: string[]; readonly info: { readonly lines: number } };

/**
 * Contacts of a table whose first line names the columns, in Chinese or English. Unknown columns are ignored; of two columns with the same meaning, the first
 * with a value is used. Null if there is no name or address column, or a quote is not closed.
 */
export function readCsv(text: string): ImportedLine[] | null {
  const body = text.replace(/^\uFEFF/, '');
  const start = body.search(/\S/);
  if (start === -1) return null;
  let parsed: Parsed[];
  try {
    parsed = parse(body, {
      delimiter: delimiterOf(body.slice(start).split(/\r?\n/, 1)[0] ?? ''),
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      trim: true,
    }) as unknown as Parsed[];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
  const [header, ...rows] = parsed;
  const keys = header?.record.map(headerKey) ?? [];
  if (!keys.some((key) => key === 'name' || key === 'firstName' || key === 'lastName')) return null;
  return rows.map(({ record, info }) => {
    const values: Partial<Record<ImportedKey, string>> = {};
    for (const [column, key] of keys.entries()) {
      const value = record[column] ?? '';
      if (key !== null && value !== '') values[key] ??= value;
    }
    // A cell with several lines makes the row end on a later line than it began.
    return { line: info.lines - record.join('').split('\n').length + 1, values };
  });
}
