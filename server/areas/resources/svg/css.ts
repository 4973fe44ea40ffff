import { elements, functions, properties } from './allowed';
import { closeFinder, idPattern, withoutComments } from './names';

/** Called for each rule or declaration that is removed. */
export type StyleReport = (kind: 'rule' | 'declaration', name: string) => void;

/** A style sheet after cleaning. `references`: what its rules refer to, by class (`.a`), id (`#a`), element or `*` to which they apply. */
export type CleanSheet = { readonly text: string; readonly references: ReadonlyMap<string, ReadonlySet<string>> };

const urlPattern = String.raw`url\(\s*(?<quote>["']?)#(?<id>${idPattern})\k<quote>\s*\)`;
/** One token of a value. There are no escapes: with them `url` could be written in other ways. */
const valueToken = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    urlPattern,
    String.raw`(?<string>"[^"'\\<>&\p{Cc}]*"|'[^"'\\<>&\p{Cc}]*')`,
    String.raw`#[\da-f]{3,8}(?![\w-])`,
    String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?:%|[a-z]+)?`,
    String.raw`(?<function>[\p{L}_-][\p{L}\p{N}_-]*)\(`,
    String.raw`[\p{L}_-][\p{L}\p{N}_-]*`,
    String.raw`[-+*/,()]`,
  ].join('|'),
  'iyu',
);

/** A value of a property, written in one way; null if it contains anything that is not allowed. An `url` may only name an element of the same file. */
export function cleanValue(value: string): string | null {
  const text = withoutComments(value).trim();
  let cleaned = '';
  let depth = 0;
  valueToken.lastIndex = 0;
  while (valueToken.lastIndex < text.length) {
    const match = valueToken.exec(text);
    if (!match) return null;
    const { space, id, string, function: name } = match.groups ?? {};
    if (space !== undefined) cleaned += ' ';
    else if (id !== undefined) cleaned += `url(#${id})`;
    else if (string !== undefined) cleaned += `'${string.slice(1, -1)}'`;
    else if (name !== undefined && !functions.has(name.toLowerCase())) return null;
    else cleaned += match[0];
    depth += name !== undefined || match[0] === '(' ? 1 : match[0] === ')' ? -1 : 0;
    if (depth < 0) return null;
  }
  return depth === 0 && cleaned !== '' ? cleaned : null;
}

/** Ids of `url(#id)` in a value that is clean. */
export const urlsIn = (value: string): string[] => Array.from(value.matchAll(/url\(#([^)]*)\)/g), ([, id = '']) => id);

/** Splits at semicolons that are in no parentheses and no quotes. */
function declarationsOf(text: string): string[] {
  const parts: string[] = [];
  const closeOf = closeFinder(text);
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at === text.length || text[at] === ';') {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else at = closeOf(at);
  }
  return parts.filter((part) => part.trim() !== '');
}

/** Declarations of a `style` attribute or of a rule that are allowed. */
export function cleanDeclarations(text: string, report: StyleReport): string {
  const cleaned: string[] = [];
  for (const declaration of declarationsOf(withoutComments(text))) {
    const colon = declaration.indexOf(':');
    const written = declaration.slice(0, Math.max(colon, 0)).trim();
    const name = written.startsWith('--') ? written : written.toLowerCase();
    const important = /\s*!\s*important\s*$/i.exec(declaration.slice(-40))?.[0] ?? '';
    const value = cleanValue(declaration.slice(colon + 1, declaration.length - important.length));
    if (colon > 0 && (properties.has(name) || /^--[\w-]{1,100}$/.test(name)) && value !== null)
      cleaned.push(`${name}:${value}${important === '' ? '' : ' !important'}`);
    else report('declaration', colon > 0 ? name : declaration.trim());
  }
  return cleaned.join(';');
}

const identifier = String.raw`-?[\p{L}_][\p{L}\p{N}_-]*`;
/** An element with classes, ids and pseudo-classes, and the combinator behind it. */
const compound = new RegExp(String.raw`(?<element>\*|[a-z][a-z\d-]*)?(?<rest>(?:[.#]${identifier}|::?[a-z-]+(?:\([\w+*.#-]*\))?)*)(?: ?[>+~] ?| |$)`, 'iuy');

/**
 * To what a selector applies, as keys of `references`; null if it is not allowed. Only elements of SVG are named, so that the styles of an inlined image do not
 * name others. White space is single spaces.
 */
function keysOf(selector: string): string[] | null {
  const text = selector.trim();
  let keys: string[] = [];
  compound.lastIndex = 0;
  do {
    const { element, rest = '' } = compound.exec(text)?.groups ?? {};
    if ((element === undefined && rest === '') || (element !== undefined && element !== '*' && !elements.has(element))) return null;
    const names = rest.replaceAll(/::?[a-z-]+(?:\([^)]*\))?/giu, '').match(/[.#][^.#]+/g) ?? [];
    keys = names.length > 0 ? [...names] : [element ?? '*'];
  } while (compound.lastIndex > 0 && compound.lastIndex < text.length);
  return keys;
}

type Block = { readonly prelude: string; readonly body: string | null };

/** Rules of a style sheet in order: what stands before the braces, and what is between them; null for a statement such as `@import`. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const closeOf = closeFinder(text);
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ';') {
      blocks.push({ prelude: text.slice(start, at).trim(), body: null });
      start = at + 1;
    } else if (text[at] === '{') {
      const open = at;
      for (let depth = 1; depth > 0 && ++at < text.length;) {
        if (text[at] === '{') depth++;
        else if (text[at] === '}') depth--;
        else at = closeOf(at);
      }
      blocks.push({ prelude: text.slice(start, open).trim(), body: text.slice(open + 1, at) });
      start = at + 1;
    } else at = closeOf(at);
  }
  if (text.slice(start).trim() !== '') blocks.push({ prelude: text.slice(start).trim(), body: null });
  return blocks;
}

/** Conditions of `@media` and of the attribute `media`. */
export const mediaPattern = /^[\w\s():,.-]{1,500}$/;
const keyframes = /^@(?:-webkit-)?keyframes\s+([\p{L}_-][\p{L}\p{N}_-]{0,100})$/iu;
const keyframe = /^(?:from|to|\d{1,3}(?:\.\d{1,6})?%)(?:\s*,\s*(?:from|to|\d{1,3}(?:\.\d{1,6})?%))*$/i;

/** Characters of the selectors of a rule, and elements that it refers to. More serve only to exhaust memory. */
const mostOfRule = { selectors: 10_000, references: 20 } as const;

/** A style sheet with the rules that are allowed: styles of SVG elements, `@media` and `@keyframes`. In particular nothing is imported and no font is loaded. */
export function cleanSheet(text: string, report: StyleReport): CleanSheet {
  const references = new Map<string, Set<string>>();

  function style(block: Block): string {
    const { body } = block;
    const prelude = block.prelude.replaceAll(/\s+/g, ' ');
    const keys = prelude.split(',').map(keysOf);
    if (body === null || body.includes('{') || keys.includes(null)) {
      report('rule', prelude);
      return '';
    }
    const declarations = cleanDeclarations(body, report);
    const targets = urlsIn(declarations);
    if (prelude.length > mostOfRule.selectors || targets.length > mostOfRule.references) {
      report('rule', prelude);
      return '';
    }
    for (const key of targets.length > 0 ? keys.flat() : []) {
      const known = references.get(key ?? '') ?? new Set();
      for (const target of targets) known.add(target);
      references.set(key ?? '', known);
    }
    return declarations === '' ? '' : `${prelude}{${declarations}}`;
  }
  function frames(body: string): string {
    return blocksOf(body)
      .map((one) => {
        if (one.body !== null && !one.body.includes('{') && keyframe.test(one.prelude)) return `${one.prelude}{${cleanDeclarations(one.body, report)}}`;
        report('rule', one.prelude);
        return '';
      })
      .join('');
  }
  function rule(block: Block, nested: boolean): string {
    const { prelude, body } = block;
    if (!prelude.startsWith('@')) return style(block);
    const name = keyframes.exec(prelude)?.[1];
    if (body !== null && name !== undefined) return `@keyframes ${name}{${frames(body)}}`;
    const media = /^@media\b(.*)$/isu.exec(prelude)?.[1]?.trim().replaceAll(/\s+/g, ' ');
    if (body !== null && !nested && media !== undefined && mediaPattern.test(media)) return `@media ${media}{${rules(body, true)}}`;
    report('rule', prelude);
    return '';
  }
  const rules = (part: string, nested: boolean): string =>
    blocksOf(part)
      .map((block) => rule(block, nested))
      .filter((written) => written !== '')
      .join('\n');

  return { text: rules(withoutComments(text).replaceAll(/<!--|-->/g, ' '), false), references };
}

/** A clean style sheet whose rules apply only inside the element with an id. */
export const scopedSheet = (text: string, id: string): string =>
  blocksOf(text)
    .map(({ prelude, body }) => {
      if (prelude.startsWith('@keyframes')) return `${prelude}{${body ?? ''}}`;
      if (prelude.startsWith('@')) return `${prelude}{${scopedSheet(body ?? '', id)}}`;
      return `${prelude
        .split(',')
        .map((selector) => `#${id} ${selector.trim()}`)
        .join(',')}{${body ?? ''}}`;
    })
    .join('\n');
