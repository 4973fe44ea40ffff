import { SaxesParser } from 'saxes';
import { resourceLimits } from '../../../../contract/resources/terms';
import type { SvgRemoval } from '../../../../contract/resources/terms';
import { animations, elements, svgLimits, textElements, textOnly, unwrapped } from './allowed';
import { cleanAttributes, isSafeAnimation } from './attributes';
import type { ParsedAttribute } from './attributes';
import { isTooComplex } from './complexity';
import { cleanSheet, mediaPattern } from './css';
import { svgNamespace, writeSvg } from './tree';
import type { SvgElement } from './tree';

/** The file is not an SVG that can be cleaned. Message: `encoding` (not UTF-8), `malformed`, `doctype` (it declares something) or `tooLarge` (beyond a limit). */
export class UnsafeSvg extends Error {}

/** `removed`: the first parts that were removed, in the order of the file; `removedCount`: all. */
export type CleanSvg = { readonly root: SvgElement; readonly source: string; readonly removed: readonly SvgRemoval[]; readonly removedCount: number };

type Position = { readonly line: number; readonly column: number };
type OpenElement = { readonly name: string; readonly attributes: Map<string, string>; readonly children: (SvgElement | string)[] };
/** `element`: where the content of an open tag goes; null if it is removed. `own`: false for an element that is replaced by its content. */
type Frame = { readonly element: OpenElement | null; readonly own: boolean; readonly at: Position };
type Tag = { readonly name: string; readonly local: string; readonly prefix: string; readonly uri: string; readonly attributes: readonly ParsedAttribute[] };

function decoded(bytes: Uint8Array): string {
  if (bytes.length > resourceLimits.svgBytes) throw new UnsafeSvg('tooLarge');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnsafeSvg('encoding');
  }
}

/** Collects what is removed, with its position. */
function removals() {
  const removed: SvgRemoval[] = [];
  let removedCount = 0;
  return {
    list: () => ({ removed, removedCount }),
    add(kind: SvgRemoval['kind'], name: string, reason: SvgRemoval['reason'], { line, column }: Position): void {
      removedCount += 1;
      if (removed.length < svgLimits.removed) removed.push({ kind, name: name.slice(0, 100).replace(/\p{Surrogate}$/u, ''), reason, line, column });
    },
  };
}

const xhtml = 'http://www.w3.org/1999/xhtml';

function reasonOf({ local, uri }: Tag, isSvg: boolean): SvgRemoval['reason'] {
  const name = local.toLowerCase();
  if (['script', 'handler', 'listener'].includes(name)) return 'script';
  if (name === 'foreignobject' || uri === xhtml) return 'html';
  if (name === 'feimage') return 'external';
  if (name === 'a' && isSvg) return 'link';
  return !isSvg || name === 'metadata' ? 'metadata' : 'unknown';
}

/** Builds the tree of what is allowed from the events of the parser. */
function treeBuilder(report: ReturnType<typeof removals>) {
  const frames: Frame[] = [];
  const budget = { used: 0 };
  const styles = new Map<string, Set<string>>();
  const counts = { elements: 0, text: 0, styles: 0 };
  let root: OpenElement | null = null;
  let withoutNamespace = false;

  /** The element for a tag; null if it is removed with its content. */
  function created(tag: Tag, parent: OpenElement | null, at: Position, attributeAt: (name: string) => Position): OpenElement | null {
    const { local, name } = tag;
    const isSvg = tag.uri === svgNamespace || (withoutNamespace && tag.uri === '');
    const attribute = (key: string): string | undefined => tag.attributes.find((one) => one.name === key)?.value.trim();
    if (!isSvg || !elements.has(local) || (parent !== null && textOnly.has(parent.name))) {
      report.add('element', name, reasonOf(tag, isSvg), at);
      return null;
    }
    if (local === 'style' && (!/^(?:text\/css)?$/i.test(attribute('type') ?? '') || !mediaPattern.test(attribute('media') ?? 'all'))) {
      report.add('element', name, 'style', at);
      return null;
    }
    const parsed = local === 'style' ? tag.attributes.filter((one) => one.name !== 'type') : tag.attributes;
    const attributes = cleanAttributes(local, parsed, budget, (kind, what, reason, of) => report.add(kind, what, reason, attributeAt(of)));
    if (animations.has(local) && !isSafeAnimation(local, attributes)) {
      report.add('element', name, 'animation', at);
      return null;
    }
    return { name: local, attributes, children: [] };
  }

  return {
    open(tag: Tag, at: Position, attributeAt: (name: string) => Position): void {
      const above = frames.at(-1);
      const parent = above?.element ?? null;
      if (frames.length >= svgLimits.depth || ++counts.elements > svgLimits.elements || tag.attributes.length > svgLimits.attributes)
        throw new UnsafeSvg('tooLarge');
      if (!above) withoutNamespace = tag.uri === '';
      else if (parent === null) return void frames.push({ element: null, own: true, at });
      const isSvg = tag.uri === svgNamespace || (withoutNamespace && tag.uri === '');
      if (parent && isSvg && unwrapped.has(tag.local) && !textOnly.has(parent.name)) {
        report.add('element', tag.name, reasonOf(tag, true), at);
        return void frames.push({ element: parent, own: false, at });
      }
      const element = created(tag, parent, at, attributeAt);
      if (!above) {
        if (element?.name !== 'svg') throw new UnsafeSvg('malformed');
        root = element;
      } else if (element) parent?.children.push(element);
      frames.push({ element, own: true, at });
    },
    text(text: string, at: Position): void {
      const element = frames.at(-1)?.element;
      if (!element || text === '') return;
      const plain = text.replaceAll('\r', '');
      if (element.name === 'style') counts.styles += plain.length;
      else counts.text += plain.length;
      if (counts.text > svgLimits.text || counts.styles > svgLimits.styles) throw new UnsafeSvg('tooLarge');
      if (element.name === 'style' || textElements.has(element.name) || plain.trim() === '') element.children.push(plain);
      else report.add('text', plain.trim(), 'unknown', at);
    },
    close(): void {
      const { element, own, at } = frames.pop() ?? {};
      if (!element || !own || element.name !== 'style') return;
      const sheet = cleanSheet(element.children.filter((child) => typeof child === 'string').join(''), (kind, name) =>
        report.add(kind, name, 'style', at as Position),
      );
      element.children.splice(0, Infinity, ...(sheet.text === '' ? [] : [sheet.text]));
      for (const [key, targets] of sheet.references) {
        const known = styles.get(key) ?? new Set();
        for (const target of targets) known.add(target);
        styles.set(key, known);
      }
    },
    result(): SvgElement {
      if (!root || isTooComplex(root, styles)) throw new UnsafeSvg(root ? 'tooLarge' : 'malformed');
      return root;
    },
  };
}

function parse(text: string, report: ReturnType<typeof removals>): SvgElement {
  const parser = new SaxesParser({
    xmlns: true,
    position: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
    // Editors forget to declare it.
    additionalNamespaces: { xlink: 'http://www.w3.org/1999/xlink' },
  });
  const builder = treeBuilder(report);
  const here = (name = ''): Position => ({ line: parser.line, column: Math.max(parser.column - name.length, 0) });
  let start: Position = { line: 1, column: 0 };
  const positions = new Map<string, Position>();
  parser.on('error', () => {
    throw new UnsafeSvg('malformed');
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw new UnsafeSvg('encoding');
  });
  parser.on('doctype', (doctype) => {
    // Entities and defaults of attributes are declared between brackets.
    if (/[[\]]|<!/.test(doctype)) throw new UnsafeSvg('doctype');
    report.add('doctype', 'DOCTYPE', 'metadata', here());
  });
  parser.on('comment', () => report.add('comment', '', 'metadata', here()));
  parser.on('processinginstruction', ({ target }) =>
    report.add('instruction', target, target.toLowerCase() === 'xml-stylesheet' ? 'external' : 'metadata', here()),
  );
  parser.on('opentagstart', ({ name }) => {
    start = here(`<${name} `);
    positions.clear();
  });
  parser.on('attribute', ({ name, value }) => void positions.set(name, here(`${name}="${value}"`)));
  parser.on('opentag', (tag) => builder.open({ ...tag, attributes: Object.values(tag.attributes) }, start, (name) => positions.get(name) ?? start));
  parser.on('text', (content) => builder.text(content, here()));
  parser.on('cdata', (content) => builder.text(content, here()));
  parser.on('closetag', () => builder.close());
  parser.write(text).close();
  return builder.result();
}

/**
 * An SVG with nothing but what is allowed (`allowed.ts`): no scripts, no HTML, no links, nothing that is loaded from elsewhere. Throws `UnsafeSvg` if it cannot be
 * cleaned. Cleaning the result changes nothing.
 */
export function sanitiseSvg(bytes: Uint8Array): CleanSvg {
  const report = removals();
  const root = parse(decoded(bytes), report);
  return { root, source: writeSvg(root), ...report.list() };
}
