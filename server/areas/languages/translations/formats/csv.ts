import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { safeCell, unsafeCell } from '../../../../csv';
import { FormatError } from './format';
import type { Format } from './format';

const columns = ['id', 'note', 'source', 'target', 'state'] as const;

// Cells that begin like a formula are guarded, and reading them is the inverse.
const line = (cells: readonly string[]): string => stringify([cells.map(safeCell)], { record_delimiter: '\r\n' });

export const csv: Format = {
  extension: 'csv',
  mime: 'text/csv; charset=utf-8',
  // Without the mark, spreadsheets take UTF-8 for the encoding of the computer.
  head: () => `\uFEFF${line(columns)}`,
  text: ({ id, note, source, text, state }) => line([id, note, source, text ?? '', state]),
  foot: () => '',
  read(content) {
    let rows: string[][];
    try {
      const [first = ''] = content.split('\n', 1);
      const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
      rows = parse(content, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true });
    } catch (error) {
      throw new FormatError('not CSV', { cause: error });
    }
    const [head = [], ...rest] = rows;
    const at = (name: (typeof columns)[number]): number => head.findIndex((cell) => cell.trim().toLowerCase() === name);
    const [id, source, target] = [at('id'), at('source'), at('target')];
    if (id < 0 || target < 0) throw new FormatError('no columns id and target');
    return rest.map((row) => ({
      id: unsafeCell(row[id] ?? ''),
      source: source < 0 ? null : unsafeCell(row[source] ?? ''),
      text: unsafeCell(row[target] ?? ''),
    }));
  },
};
