import { inflateSync } from 'node:zlib';

type PdfObject = { readonly head: string; readonly stream: Buffer | null };

/** Objects of a file as pdfkit writes them: numbered, uncompressed, with deflated streams. */
function objectsOf(file: Buffer): Map<number, PdfObject> {
  const text = file.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const end = text.indexOf('\nendobj', start);
    const at = text.slice(start, end).indexOf('\nstream\n');
    const head = at < 0 ? text.slice(start, end) : text.slice(start, start + at);
    const length = /\/Length (\d+)/.exec(head)?.[1];
    const from = start + at + '\nstream\n'.length;
    const raw = at < 0 || length === undefined ? null : file.subarray(from, from + Number(length));
    objects.set(Number(match[1]), { head, stream: raw && head.includes('/FlateDecode') ? inflateSync(raw) : raw });
  }
  return objects;
}

const hexText = (hex: string): string =>
  Buffer.from(hex.length % 4 === 0 ? hex : `${hex}00`, 'hex')
    .swap16()
    .toString('utf16le');

/** The character of each glyph of a font, from its ToUnicode map. */
function meanings(cmap: string): Map<number, string> {
  const known = new Map<number, string>();
  for (const [, from = '', , list = ''] of cmap.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi))
    [...list.matchAll(/<([0-9a-f]*)>/gi)].forEach(([, hex = ''], i) => known.set(Number.parseInt(from, 16) + i, hexText(hex)));
  return known;
}

/** The text of every page, one line per text chunk, as copied from a viewer. */
export function pdfText(file: Buffer): string[] {
  const objects = objectsOf(file);
  const get = (number: string | undefined): PdfObject => objects.get(Number(number)) ?? { head: '', stream: null };
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => {
    const resources = get(/\/Resources (\d+) 0 R/.exec(head)?.[1]).head;
    const fonts = new Map<string, Map<number, string>>();
    for (const [, name = '', number] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = get(/\/ToUnicode (\d+) 0 R/.exec(get(number).head)?.[1]).stream;
      if (map) fonts.set(name, meanings(map.toString('latin1')));
    }
    const content = get(/\/Contents (\d+) 0 R/.exec(head)?.[1]).stream?.toString('latin1') ?? '';
    let font = new Map<number, string>();
    const lines: string[] = [];
    for (const [, name, encodedText] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[\s\d.-])*)\] TJ/gi)) {
      if (name !== undefined) font = fonts.get(name) ?? new Map<number, string>();
      else
        lines.push(
          [...(encodedText ?? '').matchAll(/<([0-9a-f]*)>/gi)]
            .map(([, hex = '']) => (hex.match(/.{4}/g) ?? []).map((code) => font.get(Number.parseInt(code, 16)) ?? '�').join(''))
            .join(''),
        );
    }
    return lines.join('\n');
  });
}
