import { parse } from 'csv-parse/sync';
import { byteOrderMark, csvLine, unsafeCell } from '../../../../csv';
import { delimiterOf } from '../../../../kit/text/decode';
import { FormatError } from './format';
import type { Format } from './format';

const columns = ['id', 'note', 'source', 'target', 'state'] as const;

export const csv: Format = {
  extension: 'csv',
  tags: 'placeholders',
  mime: 'text/csv; charset=utf-8',
  head: () => byteOrderMark + csvLine(columns),
  text: ({ id, note, source, text, state }) => csvLine([id, note, source, text ?? '', state]),
  foot: () => '',
  read(content) {
    let rows: string[][];
    try {
      rows = parse(content, { bom: true, delimiter: delimiterOf(content), relax_column_count: true, skip_empty_lines: true });
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
