import { attributeName, tagOf } from './tags';
import type { Tag } from './tags';

export type Attributes = Readonly<Record<string, string | undefined>>;
export type ElementEvents = {
  /** The receiver may change `attributes`. */
  readonly open: (tag: Tag, attributes: Record<string, string>) => void;
  /** Source text, with its character references undecoded. One text may be reported in several chunks. */
  readonly text: (text: string) => void;
  readonly close: (tag: Tag) => void;
};

/** Of elements that have none. */
export const noAttributes: Record<string, string> = {};
const [tab, lineFeed, formFeed, carriageReturn, space, quote, apostrophe, slash, equals, greater] = [9, 10, 12, 13, 32, 34, 39, 47, 61, 62] as const;
const isSpace = (code: number): boolean => code === space || code === lineFeed || code === tab || code === carriageReturn || code === formFeed;
const isLetter = (code: number): boolean => (code | 0x20) >= 97 && (code | 0x20) <= 122;
/**
 * How many of the open elements are compared one by one with the name of an end tag. Of those nested deeper, names are counted: otherwise, a large document of deep
 * elements and end tags that end nothing would take minutes.
 */
const mostSearched = 100;

/**
 * Reads the elements of a document in one pass, in the order and with the implied ends of htmlparser2, whose results the tests compare: a document that is complete in memory needs
 * neither its states for every character nor its several look-ups for every name. Positions are those of code units; -1 is the end of the document within a tag, which is none then.
 */
class ElementReader {
  private readonly html: string;
  private readonly events: ElementEvents;
  private readonly stack: Tag[] = [];
  /** How many of the open elements beyond the first `mostSearched` have a name. */
  private readonly deep = new Map<string, number>();
  /** Whether the innermost of SVG, MathML and HTML in them is foreign. */
  private readonly foreign: boolean[] = [false];
  private attributes: Record<string, string> = noAttributes;
  private isSelfClosing = false;

  constructor(html: string, events: ElementEvents) {
    this.html = html;
    this.events = events;
  }

  read(): void {
    const { html, events } = this;
    let from = 0;
    for (let at = html.indexOf('<'); at >= 0;) {
      const code = html.charCodeAt(at + 1);
      const isTag = isLetter(code);
      const isMarkup = isTag || (code === slash && this.beginsEnd(at + 2)) || code === 0x21 || code === 0x3f;
      if (!isMarkup) {
        at = html.indexOf('<', at + 1);
        continue;
      }
      if (at > from) events.text(html.slice(from, at));
      from = isTag ? this.startTag(at + 1) : code === slash ? this.endTag(at + 2) : this.declaration(at + 1);
      if (from < 0) break;
      at = html.indexOf('<', from);
    }
    if (from >= 0 && from < html.length) events.text(html.slice(from));
    for (let at = this.stack.length - 1; at >= 0; at -= 1) events.close(this.stack[at] as Tag);
  }

  private skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.html.charCodeAt(at))) at += 1;
    return at;
  }
  /** `</>` is text. */
  private beginsEnd(from: number): boolean {
    const at = this.skipSpace(from);
    return at < this.html.length && this.html.charCodeAt(at) !== greater;
  }
  private after(text: string, from: number): number {
    const at = this.html.indexOf(text, from);
    return at < 0 ? -1 : at + text.length;
  }

  /** Comments, declarations and processing instructions; `from`: their second character. */
  private declaration(from: number): number {
    const { html } = this;
    if (html.startsWith('!--', from)) return this.after('-->', from + 1);
    if (html.startsWith('![CDATA[', from)) return this.after(']]>', from + 8);
    return this.upToGreater(from + 1);
  }
  /** A declaration that does not end is text. */
  private upToGreater(from: number): number {
    const end = this.after('>', from);
    if (end < 0) this.events.text(this.html.slice(from));
    return end;
  }

  private startTag(from: number): number {
    const { html } = this;
    let at = from + 1;
    for (let code = html.charCodeAt(at); code !== greater && code !== slash && !isSpace(code); code = html.charCodeAt(at)) {
      if (at >= html.length) return -1;
      at += 1;
    }
    const tag = tagOf(html.slice(from, at));
    at = html.charCodeAt(at) === greater ? this.endStart(at) : this.readAttributes(at);
    if (at < 0) return at;
    this.begin(tag, this.attributes);
    if (this.isSelfClosing) {
      if (!tag.isVoid && this.foreign.at(-1) === true) {
        this.leave(tag);
        this.pop();
      }
      return at;
    }
    return tag.end === null ? at : this.rawText(tag.end, at);
  }

  private endStart(at: number): number {
    this.attributes = noAttributes;
    this.isSelfClosing = false;
    return at + 1;
  }

  private begin(tag: Tag, attributes: Record<string, string>): void {
    const { stack, events } = this;
    if (tag.closes.size > 0) for (let top = stack.at(-1); top !== undefined && tag.closes.has(top.name); top = stack.at(-1)) this.pop();
    if (!tag.isVoid) {
      stack.push(tag);
      if (stack.length > mostSearched) this.deep.set(tag.name, (this.deep.get(tag.name) ?? 0) + 1);
      if (tag.context !== null) this.foreign.push(tag.context === 'foreign');
    }
    events.open(tag, attributes);
    if (tag.isVoid) events.close(tag);
  }
  private pop(): void {
    const tag = this.stack.pop() as Tag;
    if (this.stack.length >= mostSearched) {
      const others = (this.deep.get(tag.name) ?? 0) - 1;
      if (others > 0) this.deep.set(tag.name, others);
      else this.deep.delete(tag.name);
    }
    this.events.close(tag);
  }
  /** Where the innermost element of a name is; -1: there is none. */
  private innermost(name: string): number {
    let at = this.stack.length - 1;
    if (at >= mostSearched && !this.deep.has(name)) at = mostSearched - 1;
    while (at >= 0 && this.stack[at]?.name !== name) at -= 1;
    return at;
  }
  private leave(tag: Tag): void {
    if (tag.context !== null && this.foreign.length > 1) this.foreign.pop();
  }

  /** Text up to the end of an element without markup; that of the document if there is none. */
  private rawText(end: RegExp, from: number): number {
    const { html, events } = this;
    end.lastIndex = from;
    const found = end.exec(html);
    const to = found?.index ?? html.length;
    if (to > from) events.text(html.slice(from, to));
    return to;
  }

  /** What follows the name of an element, from its first white space or slash. */
  private readAttributes(from: number): number {
    const { html } = this;
    const attributes: Record<string, string> = {};
    this.attributes = attributes;
    this.isSelfClosing = false;
    let at = from;
    for (;;) {
      at = this.skipSpace(at);
      if (at >= html.length) return -1;
      const code = html.charCodeAt(at);
      if (code === greater) return at + 1;
      if (code === slash) {
        at = this.skipSpace(at + 1);
        if (html.charCodeAt(at) !== greater) continue;
        this.isSelfClosing = true;
        return at + 1;
      }
      at = this.readAttribute(at, attributes);
      if (at < 0) return at;
    }
  }

  private readAttribute(from: number, attributes: Record<string, string>): number {
    const { html } = this;
    let at = from + 1;
    for (let code = html.charCodeAt(at); code !== equals && code !== greater && code !== slash && !isSpace(code); code = html.charCodeAt(at)) {
      if (at >= html.length) return -1;
      at += 1;
    }
    const name = attributeName(html.slice(from, at));
    at = this.skipSpace(at);
    let value = '';
    if (html.charCodeAt(at) === equals) {
      at = this.skipSpace(at + 1);
      const first = html.charCodeAt(at);
      const isQuoted = first === quote || first === apostrophe;
      const start = isQuoted ? at + 1 : at;
      const end = isQuoted ? html.indexOf(first === quote ? '"' : "'", start) : this.endOfValue(start);
      if (end < 0) return -1;
      value = html.slice(start, end);
      at = isQuoted ? end + 1 : end;
    }
    if (!Object.hasOwn(attributes, name)) attributes[name] = value;
    return at;
  }
  private endOfValue(from: number): number {
    const { html } = this;
    for (let at = from; at < html.length; at += 1) {
      const code = html.charCodeAt(at);
      if (code === greater || isSpace(code)) return at;
    }
    return -1;
  }

  /** `from`: after the slash. */
  private endTag(from: number): number {
    const { html } = this;
    const start = this.skipSpace(from);
    if (!isLetter(html.charCodeAt(start))) return this.upToGreater(start);
    const end = html.indexOf('>', start);
    if (end < 0) return -1;
    let at = start + 1;
    while (at < end && !isSpace(html.charCodeAt(at))) at += 1;
    this.end(tagOf(html.slice(start, at)));
    return end + 1;
  }

  private end(tag: Tag): void {
    const { stack, events } = this;
    this.leave(tag);
    if (tag.isVoid) {
      // Browsers read `</br>` as `<br>`.
      if (tag.name !== 'br') return;
      events.open(tag, noAttributes);
      return events.close(tag);
    }
    const depth = this.innermost(tag.name);
    if (depth >= 0) while (stack.length > depth) this.pop();
    else if (tag.name === 'p') {
      events.open(tag, noAttributes);
      events.close(tag);
    }
  }
}

export const readElements = (html: string, events: ElementEvents): void => new ElementReader(html, events).read();
