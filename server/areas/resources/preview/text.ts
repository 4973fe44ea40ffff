import { previewLimits } from '../../../../contract/resources/previews';
import type { Locale } from '../../../http/access';
import { recordAt } from '../../../kit/text/csvRecords';
import { decodeHead, delimiterOf, encodingOf, saidDelimiter } from '../../../kit/text/decode';
import { previewTexts } from './messages';
import { sizeText } from '../messages';
import { notesOf, shortened, shownText } from './page';

/** The beginning of a file, and the size of all of it, in bytes. */
type Beginning = { readonly head: Buffer; readonly size: number };

const encodingNames = { 'utf-8': null, gb18030: 'GB18030', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE' } as const;

function decoded({ head, size }: Beginning, locale: Locale) {
  const texts = previewTexts[locale];
  const encoding = encodingOf(head);
  const name = encodingNames[encoding];
  return {
    text: decodeHead(head, encoding),
    isCut: size > head.length,
    notes: [name === null ? null : `${texts.encoding} ${name}`, size > head.length ? texts.beginning(sizeText(head.length), sizeText(size)) : null],
  };
}

export function textPreview(file: Beginning, locale: Locale): string {
  if (file.size === 0) return notesOf([previewTexts[locale].empty]);
  const { text, notes } = decoded(file, locale);
  return `${notesOf(notes)}<pre>${shownText(text)}</pre>`;
}

/** The first records of a text; one that is cut at its end is left out. */
function recordsOf(text: string, isCut: boolean): { readonly records: string[][]; readonly isAll: boolean } {
  const delimiter = delimiterOf(text);
  const records: string[][] = [];
  let at = saidDelimiter(text) === null ? 0 : text.indexOf('\n') + 1;
  while (at < text.length && records.length < previewLimits.rows) {
    const found = recordAt(text, at, delimiter, !isCut);
    if (found.kind === 'more') break;
    if (found.kind === 'broken') {
      const end = text.indexOf('\n', found.open);
      const next = end < 0 ? text.length : end + 1;
      records.push([text.slice(at, next).trimEnd()]);
      at = next;
    } else {
      if (found.quoted || found.cells.length > 1 || found.cells[0] !== '') records.push(found.cells);
      at = found.next;
    }
  }
  return { records, isAll: at >= text.length && !isCut };
}

const rowOf = (cells: readonly string[], columns: number, tag: 'th' | 'td'): string =>
  `<tr>${Array.from({ length: columns }, (_, at) => `<${tag}>${shownText(shortened(cells[at] ?? '', previewLimits.cell))}</${tag}>`).join('')}</tr>`;

/** The first rows of a CSV file; the first one is the head. */
export function tablePreview(file: Beginning, locale: Locale): string {
  const texts = previewTexts[locale];
  const { text, isCut, notes } = decoded(file, locale);
  const { records, isAll } = recordsOf(text, isCut);
  const [head, ...rows] = records;
  if (!head) return file.size === 0 ? notesOf([texts.empty]) : textPreview(file, locale);
  const widest = Math.max(...records.map((cells) => cells.length));
  const columns = Math.min(widest, previewLimits.columns);
  const limits = [isAll ? null : texts.rows(records.length), widest > columns ? texts.columns(columns) : null];
  return `${notesOf([notes[0] ?? null, ...limits])}<table><thead>${rowOf(head, columns, 'th')}</thead><tbody>${rows.map((cells) => rowOf(cells, columns, 'td')).join('')}</tbody></table>`;
}
