import type { Element } from 'domhandler';

/** Which names of an element are good for a selector: those that last and tell what it is. */

const generatedPrefix = /^(?:css|sc|jsx|jss|svelte|emotion|styled|ember|radix|mui|chakra|mantine|ng|yui|ext-gen|wp-image|post|page-item)-/i;
/** Names of a state, which other elements of a list do not have. */
const state =
  /^(?:(?:is|has|js)-.+|active|selected|current|checked|open(?:ed)?|closed|collapsed|expanded|hover|focus(?:ed)?|first|last|odd|even|hidden|visible|shown?|disabled|lazy\w*|loaded|loading|fade\w*|animated?|wow|aos-.+|clearfix)$/i;
/** Names of a look or a place. */
const layout =
  /^(?:[\w-]*flex|grid|block|inline[\w-]*|relative|absolute|fixed|sticky|static|container(?:-fluid)?|wrap(?:per)?|inner|outer|box|row|col(?:umns?)?|left|right|center|middle|top|bottom|clear|pull-\w+|float-\w+|text-.+|font-.+|bg-.+|border.*|rounded.*|shadow.*|[wh]-.+|(?:min|max)-.+|[mp][trblxyse]?-.+|gap-.+|space-.+|items-.+|justify-.+|self-.+|overflow-.+|truncate|uppercase|bold|small|large|big|red|blue|green|gr[ae]y|white|black|d-.+)$/i;

/** `Card_title__xYzAb`, `sc-bdVaJa`, `xkcdq`: made by a program, and by its next version differently. */
const isHash = (part: string): boolean => {
  const syllables = part.split(/(?=[A-Z])/);
  if (syllables.length > 1 && part.length >= 4 && part !== part.toUpperCase() && part.length / syllables.length < 3) return true;
  return /^[a-z]{5,}$/i.test(part) && !/[aeiouy]/i.test(part);
};

/** Whether a name can be written in a selector as it is, and is not one that a program made. */
export const isStable = (name: string): boolean =>
  name.length <= 40 &&
  /^[A-Za-z_\u{b0}-\u{ffff}][\w\u{b0}-\u{ffff}-]*$/u.test(name) &&
  !/\d/.test(name) &&
  !generatedPrefix.test(name) &&
  !state.test(name) &&
  !name.split(/[-_]+/).some(isHash);
const isLayout = (name: string): boolean => layout.test(name);

/** The classes of an element that last, those that say what it is first. */
export function classesOf(element: Element): { readonly name: string; readonly isLayout: boolean }[] {
  const stable = [...new Set((element.attribs['class'] ?? '').split(/\s+/))].filter(isStable).map((name) => ({ name, isLayout: isLayout(name) }));
  return [...stable.filter((one) => !one.isLayout), ...stable.filter((one) => one.isLayout)];
}

export const escaped = (name: string): string => name.replaceAll(/[^\w\u{b0}-\u{ffff}-]/gu, (character) => `\\${character}`);
const namingAttribute = /^(?:itemprop|data-(?:test-?id|test|qa|cy|field|name|role|type|component|hook|element|label|col|column))$/;
const tellingTags = new Set(['h1', 'h2', 'h3', 'h4', 'time', 'table', 'main', 'article', 'figure', 'figcaption', 'img', 'address', 'blockquote', 'dl']);

/** A way to name an element alone, without its place. The lower the cost, the better. */
export type NamePart = { readonly selector: string; readonly cost: number };

export function nameParts(element: Element): NamePart[] {
  const { name, attribs } = element;
  const found: NamePart[] = [];
  const id = attribs['id'];
  if (id !== undefined && isStable(id)) found.push({ selector: `#${id}`, cost: 0 });
  for (const [attribute, value] of Object.entries(attribs))
    if (namingAttribute.test(attribute) && isStable(value)) found.push({ selector: `[${attribute}="${value}"]`, cost: attribute === 'itemprop' ? 1 : 2 });
  const classes = classesOf(element).slice(0, 4);
  for (const one of classes)
    found.push({ selector: `.${one.name}`, cost: one.isLayout ? 5 : 1.5 }, { selector: `${escaped(name)}.${one.name}`, cost: one.isLayout ? 5.2 : 2.5 });
  const [first, second] = classes;
  if (first !== undefined && second !== undefined) found.push({ selector: `.${first.name}.${second.name}`, cost: second.isLayout ? 5.5 : 3 });
  found.push({ selector: escaped(name), cost: tellingTags.has(name) ? 2 : 4 });
  return found;
}
