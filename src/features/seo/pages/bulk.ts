import type { PageOverride } from '@contract/seo/part';
import { seoLimits } from '@contract/seo/terms';

/** Changes of the texts of many pages at once. */

/** New texts of a page in one language; undefined: the text stays, empty: what templates say. */
export type PageTexts = { readonly path: string; readonly title?: string; readonly description?: string };

export type Pasted = {
  readonly rows: readonly PageTexts[];
  /** Numbers of lines that have no address of the site, or texts that are too long. */ readonly refused: readonly number[];
};

/** Cells of a line that was copied from a spreadsheet. A quoted cell may contain tabs, and quotes twice. */
const cellsOf = (line: string): string[] =>
  Array.from(line.matchAll(/(?:^|\t)(?:"((?:[^"]|"")*)"|([^\t]*))/g), ([, quoted, plain]) =>
    (quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')).trim(),
  );

/** Reads lines of address, title and description, divided by tabs as spreadsheets copy them. A line of an address alone is refused; the last line of an address counts. */
export function readPasted(text: string, origin: string): Pasted {
  const rows = new Map<string, PageTexts>();
  const refused: number[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const [address = '', title, description] = cellsOf(line);
    const path = origin !== '' && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
    const isLong = (title ?? '').length > seoLimits.title || (description ?? '').length > seoLimits.description;
    if (!/^\/(?!\/)\S*$/.test(path) || title === undefined || isLong) refused.push(at + 1);
    else rows.set(path, { path, ...(title === '' ? {} : { title }), ...(description === undefined || description === '' ? {} : { description }) });
  }
  return { rows: [...rows.values()].filter(({ title, description }) => title !== undefined || description !== undefined), refused };
}

const emptyOverride = (path: string): PageOverride => ({ path, title: {}, description: {}, indexing: null, image: null, canonical: '' });

function textsWith(texts: Readonly<Record<string, string>>, tag: string, text: string | undefined): Record<string, string> {
  if (text === undefined) return { ...texts };
  const { [tag]: _before, ...others } = texts;
  return text === '' ? others : { ...others, [tag]: text };
}

/** Overrides of the changed pages after a change and before it; everything else that somebody set for these pages stays. */
export function overridesOf(
  stored: readonly PageOverride[],
  tag: string,
  changes: readonly PageTexts[],
): { readonly after: PageOverride[]; readonly before: PageOverride[] } {
  const known = new Map(stored.map((override) => [override.path, override]));
  const before = changes.map(({ path }) => known.get(path) ?? emptyOverride(path));
  const after = changes.map(({ title, description }, at) => {
    const override = before[at] as PageOverride;
    return { ...override, title: textsWith(override.title, tag, title), description: textsWith(override.description, tag, description) };
  });
  return { after, before };
}
