/** An element of a sanitised SVG: names without prefixes, values and text without escapes. */
export type SvgElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (SvgElement | string)[];
};

export const svgNamespace = 'http://www.w3.org/2000/svg';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');

function written({ name, attributes, children }: SvgElement): string {
  const list = Array.from(attributes, ([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('');
  if (children.length === 0) return `<${name}${list}/>`;
  return `<${name}${list}>${children.map((child) => (typeof child === 'string' ? escaped(child) : written(child))).join('')}</${name}>`;
}

/**
 * An SVG as text. It has no declaration, comments, CDATA or entities of its own, and one namespace: a parser of XML and one of HTML read the same from it.
 */
export const writeSvg = (root: SvgElement): string => written({ ...root, attributes: new Map([['xmlns', svgNamespace], ...root.attributes]) });

/** The element with another value of an attribute; without the attribute if the value is null. */
export function withAttribute(element: SvgElement, name: string, value: string | null): SvgElement {
  const attributes = new Map(element.attributes);
  if (value === null) attributes.delete(name);
  else attributes.set(name, value);
  return { ...element, attributes };
}

/** The tree with each element changed, the outer ones first. */
export function mapElements(element: SvgElement, change: (element: SvgElement) => SvgElement): SvgElement {
  const changed = change(element);
  return { ...changed, children: changed.children.map((child) => (typeof child === 'string' ? child : mapElements(child, change))) };
}

/** All elements in the order of the document. */
export function* elementsOf(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) if (typeof child !== 'string') yield* elementsOf(child);
}
