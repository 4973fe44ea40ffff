import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/**
 * A cell to write: a number as text, a date (days since 1899-12-30) or duration with its style, a boolean, or a text. `instant`: a date and time with
 * milliseconds.
 */
export type XlsxCell =
  | { readonly kind: keyof typeof styles; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | null;

/** Maximum characters of a cell; with more, Excel reports the whole file as damaged. */
const mostChars = 32_767;
const cutMark = '…';
/** Indexes in `cellXfs`. */
const styles = { number: 0, date: 1, datetime: 2, instant: 3, time: 4, duration: 5 } as const;
const formats = ['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss', 'yyyy\\-mm\\-dd\\ hh:mm:ss.000', 'hh:mm:ss', '[h]:mm:ss'];
/** Lower ids are built-in formats. */
const firstFormat = 164;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one);
/** Escapes characters that XML cannot contain, and texts that look like such escapes (ECMA-376, part 1, 22.9.2.19). */
const escaped = (text: string): string =>
  text
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
function cutText(text: string): string {
  if (text.length <= mostChars) return text;
  const end = mostChars - cutMark.length;
  // Does not split a surrogate pair.
  return text.slice(0, /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end) + cutMark;
}

function cellXml(cell: XlsxCell): string {
  if (cell === null) return '<c/>';
  switch (cell.kind) {
    case 'boolean':
      return `<c t="b"><v>${cell.value ? 1 : 0}</v></c>`;
    case 'text':
      return cell.value === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${xml(escaped(cutText(cell.value)))}</t></is></c>`;
    default:
      return `<c${styles[cell.kind] === 0 ? '' : ` s="${styles[cell.kind]}"`}><v>${cell.value}</v></c>`;
  }
}
export const rowXml = (cells: readonly XlsxCell[]): string => `<row>${cells.map(cellXml).join('')}</row>`;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((code, at) => `<numFmt numFmtId="${firstFormat + at}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length + 1}"><xf/>${formats.map((_, at) => `<xf numFmtId="${firstFormat + at}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
};

/** Sheet names have at most 31 characters and exclude some. */
const sheetName = (title: string): string =>
  Array.from(title.replaceAll(/[\u0000-\u001f[\]:*?/\\]/g, ' ').replaceAll(/^'+|'+$/g, ''))
    .slice(0, 31)
    .join('')
    .trim() || 'Sheet1';

/** A workbook of one sheet (ECMA-376), compressed as its rows arrive; `rows` come from `rowXml`. */
export function workbook(title: string, rows: AsyncIterable<string>): Readable {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(head + text), name);
  const book = `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${xml(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  zip.addBuffer(Buffer.from(head + book), 'xl/workbook.xml');
  const sheet = new PassThrough();
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  const out = new PassThrough();
  zip.outputStream.pipe(out);
  const feed = async (): Promise<void> => {
    const push = async (text: string): Promise<void> => {
      if (!sheet.write(text)) await new Promise<void>((resolve) => sheet.once('drain', resolve).once('close', resolve));
    };
    await push(
      `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
    );
    for await (const row of rows) {
      if (out.destroyed) break;
      await push(row);
    }
    sheet.end('</sheetData></worksheet>');
  };
  out.once('close', () => void sheet.destroy());
  feed().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  return out;
}
