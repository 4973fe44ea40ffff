import type { Locale } from '../../http/access';
import { makeFont } from './font';

/** A4 in points, with its margins. */
export const page = { width: 595.28, height: 841.89, side: 44, top: 48, bottom: 56 };
export const inner = page.width - 2 * page.side;
export const ink = { text: '#1c1e21', soft: '#5f6670', line: '#d5d9df', band: '#f3f5f7' };

type Style = {
  readonly font?: 'regular' | 'strong';
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
  readonly lines?: number;
  readonly whole?: boolean;
};

export const lineOf = (size: number): number => size * 1.448;

export type Paper = Awaited<ReturnType<typeof openPaper>>;

/** Sheets of A4. `texts`: everything that will be written, because the fonts hold only its letters; `now`: epoch milliseconds. */
export async function openPaper({
  title,
  locale,
  now,
  texts,
}: {
  readonly title: string;
  readonly locale: Locale;
  readonly now: number;
  readonly texts: string[];
}) {
  const [regular, strong] = await Promise.all([makeFont(texts, 400), makeFont(texts, 600)]);
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    displayTitle: true,
    info: { Title: title, CreationDate: new Date(now) },
    font: '',
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  doc.registerFont('regular', regular).registerFont('strong', strong);

  /** Writes into a box of some lines; what does not fit ends in “…”. */
  function put(
    text: string,
    x: number,
    y: number,
    width: number,
    { font = 'regular', size = 9, color = ink.text, align = 'left', lines = 1, whole = false }: Style = {},
  ): void {
    doc.font(font).fontSize(size).fillColor(color);
    // A figure is never cut: a long one gets smaller letters.
    if (whole) doc.fontSize(Math.min(size, (size * width) / doc.widthOfString(text)));
    doc.text(text, x, y, {
      width,
      height: lineOf(size) * lines + 0.5,
      align,
      ellipsis: '…',
      lineBreak: lines > 1 || (!whole && doc.widthOfString(text) > width),
    });
  }
  const rule = (y: number, color = ink.line): void =>
    void doc
      .moveTo(page.side, y)
      .lineTo(page.side + inner, y)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke();

  return {
    put,
    rule,
    band: (y: number, height: number): void => void doc.rect(page.side, y, inner, height).fill(ink.band),
    /** How wide a text is in the type of the rows. */
    widthOf: (text: string): number => doc.font('regular').fontSize(9).widthOfString(text),
    addPage: (): void => void doc.addPage(),
    /** Calls `write` on every page, and answers the whole file. */
    async finish(write: (number: number, count: number) => void): Promise<Buffer> {
      const { count } = doc.bufferedPageRange();
      for (let i = 0; i < count; i++) {
        doc.switchToPage(i);
        write(i + 1, count);
      }
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}
