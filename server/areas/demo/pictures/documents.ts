import type { Locale } from '../../../http/access';
import { palettes } from '../../../kit/pictures/drawing';

/** Downloads of each version, as a table that a spreadsheet opens. */
export function downloadsCsv(locale: Locale): Buffer {
  const head = locale === 'en' ? 'Version,Platform,Released,Downloads' : '版本,平台,发布日期,下载量';
  const versions = [
    ['4.2', '2026-11-10', 18_240],
    ['4.1', '2026-10-07', 31_906],
    ['4.0', '2026-09-04', 52_118],
    ['3.9', '2026-06-18', 40_377],
  ] as const;
  const shares = [
    ['Windows', 0.46],
    ['macOS', 0.23],
    ['Android', 0.19],
    ['HarmonyOS', 0.08],
    ['Linux', 0.04],
  ] as const;
  const rows = versions.flatMap(([version, day, total]) => shares.map(([platform, share]) => `${version},${platform},${day},${Math.round(total * share)}`));
  // The mark tells Excel that the file is UTF-8.
  return Buffer.from(`\ufeff${[head, ...rows].join('\r\n')}\r\n`);
}

export const guidelines = (locale: Locale): Buffer =>
  Buffer.from(
    locale === 'en'
      ? '# Writing for Yunshan Notes\n\n- 800 to 1,500 words, one idea per article.\n- Screenshots at twice the size, as PNG.\n- Name your sources and link to them.\n\nAn editor answers within three days.\n'
      : '# 云杉笔记投稿须知\n\n- 每篇一个主题，一千二百到两千字。\n- 截图用两倍尺寸的 PNG。\n- 引用注明出处并附链接。\n\n编辑会在三天内回复。\n',
  );

/** Operators of PDF for a colour `#rrggbb`. */
const fill = (color: string): string => `${[1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ')} rg`;
const box = (color: string, x: number, y: number, w: number, h: number): string => `${fill(color)} ${x} ${y} ${w} ${h} re f`;
const text = (content: string, x: number, y: number, size: number, color: string, font = 'F1'): string =>
  `BT ${fill(color)} /${font} ${size} Tf ${x} ${y} Td (${content}) Tj ET`;

/** One page in A4 with sign, colours and type of the site; points from the lower left. */
function brandPage(): string {
  const ink = '#1b443d';
  const spruce = [
    [245, 640, 275, 685, 305, 640],
    [235, 600, 275, 655, 315, 600],
    [225, 560, 275, 620, 325, 560],
  ];
  const swatches = [...palettes.spruce.layers, palettes.spruce.accent];
  return [
    box('#f9faf3', 0, 0, 595, 842),
    box(ink, 0, 500, 595, 342),
    ...spruce.map(([x1, y1, x2, y2, x3, y3]) => `${fill('#f9faf3')} ${x1} ${y1} m ${x2} ${y2} l ${x3} ${y3} l f`),
    box('#f9faf3', 269, 540, 12, 22),
    text('Yunshan Notes', 60, 780, 24, '#f9faf3', 'F2'),
    text('Brand sheet', 60, 756, 13, '#bcd8c8'),
    text('Colours', 60, 450, 16, ink, 'F2'),
    ...swatches.flatMap((color, at) => [box(color, 60 + at * 80, 360, 68, 68), text(color.toUpperCase(), 60 + at * 80, 344, 10, ink)]),
    text('Type', 60, 290, 16, ink, 'F2'),
    text('Headings are set in bold, 1.25 times the size of the text.', 60, 262, 12, ink),
    text('Text is set at 16 pixels, with 1.7 times the size between lines.', 60, 242, 12, ink),
    text('Keep a space of half the height of the sign around it.', 60, 222, 12, ink),
  ].join('\n');
}

export function brandSheet(): Buffer {
  const page = brandPage();
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
