import { FormatError } from './format';
import type { Format, ImportedText } from './format';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': String.raw`\"`, '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };
const unescapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v' };
const quoted = (text: string): string => `"${text.replaceAll(/[\\"\n\r\t]/g, (character) => escapes[character] ?? character)}"`;
/** Texts of several lines begin with an empty one, as gettext writes them. */
const value = (text: string): string => (text.includes('\n') ? ['""', ...text.split(/(?<=\n)/).map(quoted)].join('\n') : quoted(text));

/** The text of a quoted line; null: it is none. */
function unquoted(text: string): string | null {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/.exec(text.trim()) ?? [];
  return (
    inner?.replaceAll(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))/g, (_all, hex: string | undefined, octal: string | undefined, letter: string) =>
      hex !== undefined
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : octal !== undefined
          ? String.fromCodePoint(Number.parseInt(octal, 8))
          : (unescapes[letter] ?? letter),
    ) ?? null
  );
}

type Part = 'msgctxt' | 'msgid' | 'msgstr' | 'other';
type Entry = { readonly parts: Partial<Record<Part, string>>; fuzzy: boolean };
const partOf = (name: string): Part => (name === 'msgctxt' || name === 'msgid' || name === 'msgstr' ? name : name === 'msgstr[0]' ? 'msgstr' : 'other');

/** Entries in order, without those that are commented out. */
function entriesOf(content: string): Entry[] {
  const entries: Entry[] = [];
  let entry: Entry = { parts: {}, fuzzy: false };
  let part: Part | null = null;
  const begin = (): void => {
    if (Object.keys(entry.parts).length > 0) entries.push(entry);
    entry = { parts: {}, fuzzy: false };
    part = null;
  };
  for (const [at, line] of content.split(/\r\n|\n|\r/).entries()) {
    const text = line.trim();
    if (text === '') continue;
    if (text.startsWith('#')) {
      // A comment stands before its entry, so it ends the one above.
      if (entry.parts.msgstr !== undefined) begin();
      if (text.startsWith('#,') && /\bfuzzy\b/.test(text)) entry.fuzzy = true;
      continue;
    }
    const [, name, rest = text] = /^([a-z_]+(?:\[\d+\])?)\s*(".*)$/.exec(text) ?? [];
    if (name !== undefined) {
      const next = partOf(name);
      if ((next === 'msgctxt' || next === 'msgid') && entry.parts.msgstr !== undefined) begin();
      part = next;
    }
    const piece = unquoted(rest);
    if (piece === null || part === null) throw new FormatError(`line ${String(at + 1)} is not PO`);
    entry.parts[part] = (entry.parts[part] ?? '') + piece;
  }
  begin();
  return entries;
}

/** Files of gettext. The id of a text is its context; texts that have to be looked at again are fuzzy, and fuzzy ones are not imported. */
export const po: Format = {
  extension: 'po',
  tags: 'placeholders',
  mime: 'text/x-gettext-translation; charset=utf-8',
  head: ({ tag, site }) =>
    `msgid ""\nmsgstr ""\n${[`Project-Id-Version: ${site.replaceAll(/\s+/g, ' ')}`, `Language: ${tag}`, 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: 8bit'].map((one) => quoted(`${one}\n`)).join('\n')}\n`,
  text: ({ id, note, source, text, state }) =>
    `\n#. ${note.replaceAll(/\s+/g, ' ')}\n${state === 'outdated' ? '#, fuzzy\n' : ''}msgctxt ${quoted(id)}\nmsgid ${value(source)}\nmsgstr ${value(text ?? '')}\n`,
  foot: () => '',
  read: (content) =>
    entriesOf(content.replace(/^\uFEFF/, '')).flatMap(({ parts, fuzzy }): ImportedText[] =>
      parts.msgctxt === undefined ? [] : [{ id: parts.msgctxt, source: parts.msgid ?? null, text: fuzzy ? '' : (parts.msgstr ?? '') }],
    ),
};
