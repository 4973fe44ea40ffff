import { selectAll, selectOne } from 'css-select';
import { isTag } from 'domhandler';
import type { AnyNode, Document, Element } from 'domhandler';
import { getAttributeValue, textContent } from 'domutils';
import { DomHandler, parseDocument, Parser } from 'htmlparser2';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import { typePlaces } from '../../../../contract/crawler/typePlaces';
import { normalizeUrl } from './normalize';
import { deepest, TooDeep } from './pageReader';
import { compileUrlPattern } from './scope';
import { cut, squeezed } from './textMeasures';

export type Extraction = CrawlerConfig['extractions'][number];
type Column = Extraction['columns'][number];
export type ExtractedValue = string | number | boolean | readonly string[] | null;
export type RowValues = Readonly<Record<string, ExtractedValue>>;
export type ExtractedRow = { readonly extraction: string; readonly row: number; readonly values: RowValues };

/** `characters`: of all rows of a page, as JSON. */
const limits = { rows: 1000, many: 50, text: 20_000, characters: 4_000_000 } as const;
export type Source = { readonly url: string; readonly html: string; readonly headers: Readonly<Record<string, string>> };
type Page = Source & { readonly document: Document; readonly jsonLd: readonly unknown[] };

class BoundedDom extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > deepest) throw new TooDeep();
    super.onopentag(name, attributes);
  }
}

/** The tree of a document, up to an element that is nested too deep. */
export function treeOf(html: string): Document {
  const dom = new BoundedDom();
  try {
    new Parser(dom).end(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return dom.root;
}

const optionsOf = typePlaces<Element>((element) => (element.parent === null ? [element] : element.parent.children.filter(isTag)));
const select = (selector: string, root: Element | Document): Element[] => selectAll<AnyNode, Element>(selector, root, optionsOf(selector));

function jsonLdOf(document: Document): unknown[] {
  return selectAll<AnyNode, Element>('script[type="application/ld+json"]', document).flatMap((script) => {
    try {
      const value: unknown = JSON.parse(textContent(script));
      const items = Array.isArray(value) ? value : [value];
      return items.flatMap((item) => (item as { '@graph'?: unknown[] } | null)?.['@graph'] ?? [item]);
    } catch {
      return [];
    }
  });
}

/** `offers.price` or `Product.offers.price` in an object; a first name that is a type selects objects of that type. */
function jsonPath(items: readonly unknown[], expression: string): unknown[] {
  const names = expression.split('.').map((name) => name.trim());
  const step = (values: readonly unknown[], name: string): unknown[] =>
    values.flatMap((value) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]].flat() : [],
    );
  const [first = ''] = names;
  const ofType = items.filter((item) => [(item as { '@type'?: unknown } | null)?.['@type']].flat().includes(first));
  return ofType.length > 0 ? names.slice(1).reduce<unknown[]>(step, ofType) : names.reduce<unknown[]>(step, [...items]);
}

/** The first match of a pattern in linear time: the shortest text from each line that fits. Without groups, the whole match counts. */
function regexMatches(expression: string, html: string, many: boolean): string[] {
  const found: string[] = [];
  const [before = '', after] = expression.split('(*)', 2);
  // `before(*)after`: the text between two fixed texts. Other patterns select lines.
  if (after !== undefined) {
    for (let at = html.indexOf(before); at >= 0 && found.length < limits.many; at = html.indexOf(before, at + 1)) {
      const start = at + before.length;
      const end = after === '' ? start + 200 : html.indexOf(after, start);
      if (end < 0) break;
      found.push(html.slice(start, Math.min(end, start + limits.text)));
      if (!many) break;
    }
    return found;
  }
  const test = compileUrlPattern(`/(?:${expression})/`);
  for (const line of html.split('\n')) if (line.length < 2000 && test?.(line) === true && found.push(line.trim()) >= (many ? limits.many : 1)) break;
  return found;
}

function valuesOf(column: Column, page: Page, root: Element | Document): unknown[] {
  const { from, expression, attribute } = column;
  switch (from) {
    case 'css': {
      const elements = expression.trim() === '' && root !== page.document ? [root as Element] : select(expression, root).slice(0, limits.many);
      return elements.map((element) => (attribute === '' ? textContent(element) : (getAttributeValue(element, attribute) ?? '')));
    }
    case 'json_ld':
      return jsonPath(page.jsonLd, expression);
    case 'meta':
      return selectAll<AnyNode, Element>('meta', page.document)
        .filter((element) =>
          [getAttributeValue(element, 'name'), getAttributeValue(element, 'property')].some((name) => name?.toLowerCase() === expression.trim().toLowerCase()),
        )
        .map((element) => getAttributeValue(element, 'content') ?? '');
    case 'regex':
      return regexMatches(expression, page.html, column.many);
    case 'header':
      return page.headers[expression.trim().toLowerCase()] === undefined ? [] : [page.headers[expression.trim().toLowerCase()]];
  }
}

/** `1.234,50 €` and `1,234.50` are the same number: the last of both signs separates decimals. */
export function numberIn(text: string): number | null {
  const written = /[-−]?\d[\d.,\s\u00a0']*/
    .exec(text)?.[0]
    ?.replaceAll(/[\s\u00a0']/g, '')
    .replace('−', '-')
    .replace(/[.,]$/, '');
  if (written === undefined) return null;
  const [dot, comma] = [written.lastIndexOf('.'), written.lastIndexOf(',')];
  const decimal = dot > comma ? '.' : ',';
  const isThousands = Math.min(dot, comma) < 0 && /^-?\d{1,3}([.,]\d{3})+$/.test(written) && (decimal === ',' || written.split('.').length > 2);
  const plain = isThousands ? written.replaceAll(/[.,]/g, '') : written.replaceAll(decimal === '.' ? ',' : '.', '').replace(',', '.');
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

function typed(type: Column['type'], value: unknown, url: string): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? squeezed(value) : JSON.stringify(value);
  switch (type) {
    case 'number':
      return typeof value === 'number' ? value : numberIn(text);
    case 'boolean':
      return typeof value === 'boolean' ? value : /^(?:true|yes|1|on|是|有|在库|有货|in ?stock|https?:\/\/schema\.org\/InStock)$/i.test(text);
    case 'url':
      return normalizeUrl(text, url);
    case 'date': {
      const chinese = /(\d{4})年(\d{1,2})月(\d{1,2})日/.exec(text);
      const at = Date.parse(chinese ? `${chinese[1]}-${chinese[2]?.padStart(2, '0')}-${chinese[3]?.padStart(2, '0')}` : text);
      return Number.isNaN(at) ? null : new Date(at).toISOString();
    }
    case 'text':
      return text === '' ? null : cut(text, limits.text);
  }
}

function rowOf(extraction: Extraction, page: Page, root: Element | Document): Record<string, ExtractedValue> | null {
  const values: Record<string, ExtractedValue> = {};
  for (const column of extraction.columns) {
    const found = valuesOf(column, page, root)
      .map((value) => typed(column.type, value, page.url))
      .filter((value) => value !== null);
    values[column.name] = column.many ? found.slice(0, limits.many).map(String) : (found[0] ?? null);
    if (column.required && found.length === 0) return null;
  }
  return values;
}

/** Reads the rows of extractions from pages. Only pages that one applies to are parsed into a tree. */
export function createExtractor(extractions: readonly Extraction[]) {
  const rules = extractions.map((extraction) => ({ extraction, test: compileUrlPattern(extraction.pattern) ?? (() => false) }));
  return (source: Source): ExtractedRow[] => {
    const fitting = rules.filter(({ test }) => test(source.url));
    if (fitting.length === 0) return [];
    const document = treeOf(source.html);
    const page: Page = { ...source, document, jsonLd: jsonLdOf(document) };
    let characters = 0;
    return fitting.flatMap(({ extraction }) => {
      const found: ExtractedRow[] = [];
      try {
        const roots = extraction.rows.trim() === '' ? [document] : select(extraction.rows, document).slice(0, limits.rows);
        for (const [row, root] of roots.entries()) {
          const values = rowOf(extraction, page, root);
          if (values === null) continue;
          characters += JSON.stringify(values).length;
          if (characters > limits.characters) break;
          found.push({ extraction: extraction.name, row, values });
        }
      } catch {
        // A selector that does not parse finds nothing; the form refuses it. Of a page that is nested too deep for its text to be read, the rows before count.
      }
      return found;
    });
  };
}

/** Whether a selector is valid. */
export function isSelector(selector: string): boolean {
  try {
    selectOne(selector, parseDocument('<p></p>'));
    return true;
  } catch {
    return false;
  }
}

/** The part of an extraction that could not be applied, such as `columns.2.expression`; null: all can. */
export function extractionProblem({ pattern, rows, columns }: Extraction): string | null {
  if (compileUrlPattern(pattern) === null) return 'pattern';
  if (rows.trim() !== '' && !isSelector(rows)) return 'rows';
  const wrong = columns.findIndex(({ from, expression }) => {
    if (from === 'css') return expression.trim() === '' ? rows.trim() === '' : !isSelector(expression);
    return from === 'regex' && !expression.includes('(*)') && compileUrlPattern(`/(?:${expression})/`) === null;
  });
  return wrong < 0 ? null : `columns.${wrong}.expression`;
}

/** The rows that one extraction finds in a page, whether or not its pattern fits the address. */
export const extractRows = (page: Source, extraction: Extraction): readonly RowValues[] =>
  createExtractor([{ ...extraction, pattern: '*' }])(page).map(({ values }) => values);
