import { SaxesParser } from 'saxes';
import { fromPlain, inlineParts, plainOf } from '../inlineTags';
import type { InlineCode } from '../inlineTags';
import { FormatError } from './format';
import type { ExportedText, Format, ImportedText } from './format';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? character);

/** XLIFF 1.2, 2.5: the state of a target. */
const targetStates = {
  missing: 'needs-translation',
  outdated: 'needs-review-translation',
  machine: 'needs-review-translation',
  draft: 'translated',
  reviewed: 'final',
} as const satisfies Readonly<Record<ExportedText['state'], string>>;

/** Types of inline elements, after the representation guide for HTML. */
const inlineTypes: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underlined',
  a: 'link',
  img: 'image',
  br: 'lb',
};
const typeOf = ({ name }: InlineCode): string => inlineTypes[name] ?? `x-html-${name}`;

/** Placeholders as inline elements: `g` around what a pair of tags encloses, `x` for a single one. `xid` names the unit that translates an attribute. */
const withElements = (text: string, { codes, attributeIds }: Pick<ExportedText, 'codes' | 'attributeIds'>): string =>
  inlineParts(text)
    .map((part) => {
      if (typeof part === 'string') return escaped(plainOf(part));
      const code = codes[part.n - 1];
      const xid = attributeIds?.get(part.n);
      const attributes = `id="${String(part.n)}"${code ? ` ctype="${typeOf(code)}"` : ''}${xid === undefined ? '' : ` xid="${escaped(xid)}"`}`;
      return part.side === 'end' ? '</g>' : part.side === 'begin' ? `<g ${attributes}>` : `<x ${attributes}/>`;
    })
    .join('');

/** Inline elements that enclose text, begin and end a pair, or stand alone. Contents of `bpt`, `ept` and `ph` are codes of another program. */
const inline: Readonly<Record<string, 'pair' | 'begin' | 'end' | 'single'>> = { g: 'pair', bpt: 'begin', ept: 'end', x: 'single', ph: 'single' };
const idOf = (attributes: Readonly<Record<string, string>>): string => (/^\d{1,6}$/.test(attributes['id'] ?? '') ? (attributes['id'] ?? '') : '0');

const endOfFile = '</body></file>\n';

type Unit = { readonly id: string; readonly isHtml: boolean; source: string | null; text: string };
type Attributes = Readonly<Record<string, string>>;

/** Reads units. Inline elements are placeholders in rich text; in plain text they count as the text that they contain. */
class Reader {
  readonly texts: ImportedText[] = [];
  #unit: Unit | null = null;
  #side: 'source' | 'target' | null = null;
  /** Elements between the unit and the present one that are no part of the translation, such as suggestions. */
  #ignored = 0;

  open(name: string, attributes: Attributes): void {
    if (this.#ignored > 0 || name === 'alt-trans') this.#ignored++;
    else if (name === 'trans-unit') this.#unit = { id: attributes['id'] ?? '', isHtml: attributes['datatype'] === 'html', source: null, text: '' };
    else if (this.#unit && this.#side === null && (name === 'source' || name === 'target')) {
      this.#side = name;
      if (name === 'source') this.#unit.source = '';
    } else if (this.#unit?.isHtml === true && this.#side !== null) {
      const kind = inline[name];
      if (kind === 'pair') this.#add(`<${idOf(attributes)}>`);
      else if (kind !== undefined) {
        this.#ignored++;
        this.#add(kind === 'begin' ? `<${idOf(attributes)}>` : kind === 'end' ? `</${idOf(attributes)}>` : `<${idOf(attributes)}/>`);
      }
    }
  }
  text(text: string): void {
    if (this.#unit && this.#ignored === 0) this.#add(this.#unit.isHtml ? fromPlain(text) : text);
  }
  close(name: string, attributes: Attributes): void {
    if (this.#ignored > 0) this.#ignored--;
    else if (name === this.#side) this.#side = null;
    else if (name === 'trans-unit' && this.#unit) {
      const { id, source, text } = this.#unit;
      this.texts.push({ id, source, text });
      this.#unit = null;
    } else if (this.#unit?.isHtml === true && inline[name] === 'pair') this.#add(`</${idOf(attributes)}>`);
  }
  #add(text: string): void {
    if (!this.#unit) return;
    if (this.#side === 'source') this.#unit.source = (this.#unit.source ?? '') + text;
    if (this.#side === 'target') this.#unit.text += text;
  }
}

/** XLIFF 1.2 (OASIS Standard, 2008). One `file` for each source language. */
export const xliff: Format = {
  extension: 'xlf',
  tags: 'placeholders',
  mime: 'application/xliff+xml; charset=utf-8',
  head: () => '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n',
  text({ id, note, from, source, text, state, format, ...tags }, before, { tag, site }) {
    const written = (one: string): string => (format === 'html' ? withElements(one, tags) : escaped(one));
    const datatype = format === 'html' ? ' datatype="html"' : '';
    const file = `<file original="${escaped(site)}" datatype="plaintext" source-language="${from}" target-language="${tag}"><body>\n`;
    const begin = before === null ? file : before.from === from ? '' : endOfFile + file;
    const target = text === null ? '' : `<target xml:space="preserve" state="${targetStates[state]}">${written(text)}</target>`;
    return `${begin}<trans-unit id="${escaped(id)}"${datatype}><source xml:space="preserve">${written(source)}</source>${target}<note>${escaped(note)}</note></trans-unit>\n`;
  },
  foot: (last) => `${last === null ? '' : endOfFile}</xliff>\n`,
  read(content) {
    const reader = new Reader();
    const parser = new SaxesParser();
    // Without a DTD there are no entities but the five of XML, so none can be made to grow.
    parser.on('doctype', () => {
      throw new FormatError('a DTD is not read');
    });
    parser.on('error', (error) => {
      throw new FormatError(error.message);
    });
    parser.on('opentag', ({ name, attributes }) => reader.open(name, attributes));
    parser.on('text', (text) => reader.text(text));
    parser.on('cdata', (text) => reader.text(text));
    parser.on('closetag', ({ name, attributes }) => reader.close(name, attributes));
    parser.write(content).close();
    return reader.texts;
  },
};
