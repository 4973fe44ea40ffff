import { SaxesParser } from 'saxes';
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

const endOfFile = '</body></file>\n';

/** Reads units. Inline elements of other tools count as the text that they contain. */
class Reader {
  readonly texts: ImportedText[] = [];
  #unit: { id: string; source: string | null; text: string } | null = null;
  #side: 'source' | 'target' | null = null;
  /** Elements between the unit and the present one that are no part of the translation, such as suggestions. */
  #ignored = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#ignored > 0 || name === 'alt-trans') this.#ignored++;
    else if (name === 'trans-unit') this.#unit = { id: attributes['id'] ?? '', source: null, text: '' };
    else if (this.#unit && this.#side === null && (name === 'source' || name === 'target')) {
      this.#side = name;
      if (name === 'source') this.#unit.source = '';
    }
  }
  text(text: string): void {
    if (!this.#unit || this.#ignored > 0) return;
    if (this.#side === 'source') this.#unit.source = (this.#unit.source ?? '') + text;
    if (this.#side === 'target') this.#unit.text += text;
  }
  close(name: string): void {
    if (this.#ignored > 0) this.#ignored--;
    else if (name === this.#side) this.#side = null;
    else if (name === 'trans-unit' && this.#unit) {
      this.texts.push(this.#unit);
      this.#unit = null;
    }
  }
}

/** XLIFF 1.2 (OASIS Standard, 2008). One `file` for each source language. */
export const xliff: Format = {
  extension: 'xlf',
  mime: 'application/xliff+xml; charset=utf-8',
  head: () => '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n',
  text({ id, note, from, source, text, state }, before, { tag, site }) {
    const file = `<file original="${escaped(site)}" datatype="plaintext" source-language="${from}" target-language="${tag}"><body>\n`;
    const begin = before === null ? file : before.from === from ? '' : endOfFile + file;
    const target = text === null ? '' : `<target xml:space="preserve" state="${targetStates[state]}">${escaped(text)}</target>`;
    return `${begin}<trans-unit id="${escaped(id)}"><source xml:space="preserve">${escaped(source)}</source>${target}<note>${escaped(note)}</note></trans-unit>\n`;
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
    parser.on('closetag', ({ name }) => reader.close(name));
    parser.write(content).close();
    return reader.texts;
  },
};
