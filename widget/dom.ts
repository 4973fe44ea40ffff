/** Builds elements without markup: no text of a person is ever parsed as HTML, and pages may forbid inline styles and scripts. */

type Listeners = { readonly [name in keyof HTMLElementEventMap as `on${name}`]?: (event: HTMLElementEventMap[name]) => void };
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>> | Listeners;
export type Child = Node | string | null | false;

const isListener = (name: string, value: unknown): value is EventListener => name.startsWith('on') && typeof value === 'function';

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes) as [string, unknown][]) {
    if (isListener(name, value)) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string' || typeof value === 'number') element.setAttribute(name, String(value));
  }
}

const nodesOf = (children: readonly Child[]): (Node | string)[] => children.filter((child) => child !== null && child !== false);

export function h<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  element.append(...nodesOf(children));
  return element;
}

export const fill = (parent: Element, ...children: Child[]): void => parent.replaceChildren(...nodesOf(children));

const svgNamespace = 'http://www.w3.org/2000/svg';
const paths = {
  chat: 'M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M12 19V5m-6 6 6-6 6 6',
  done: 'M5 12.5l5 5 9-10',
  attach: 'M20 11.5 12 19.5a5 5 0 0 1-7-7l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8L10 17a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  file: 'M7 3h7l4 4v14H7V3Zm7 0v4h4',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.8-5.2-2.8-5.2 2.8 1-5.8L3.5 9.7l5.9-.8Z',
} as const;

export function icon(name: keyof typeof paths): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false', class: `icon ${name}` });
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** An entry of a list: `signature` changes with what `build` builds. */
export type Entry = { readonly key: string; readonly signature: string; readonly build: () => HTMLElement };

/** Shows entries in order and replaces only those that changed, so that screen readers announce new ones alone and the focus stays where it is. */
export function createList(parent: Element): (entries: readonly Entry[]) => void {
  const known = new Map<string, { readonly signature: string; readonly element: HTMLElement }>();
  return (entries) => {
    const keys = new Set(entries.map(({ key }) => key));
    for (const [key, { element }] of known) {
      if (keys.has(key)) continue;
      element.remove();
      known.delete(key);
    }
    let place: ChildNode | null = parent.firstChild;
    for (const { key, signature, build } of entries) {
      const previous = known.get(key);
      const element = previous?.signature === signature ? previous.element : build();
      if (previous && previous.element !== element) {
        if (place === previous.element) place = element;
        previous.element.replaceWith(element);
      }
      known.set(key, { signature, element });
      if (element === place) place = element.nextSibling;
      else parent.insertBefore(element, place);
    }
  };
}
