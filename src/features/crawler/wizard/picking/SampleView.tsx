import Image from '@mui/icons-material/ImageOutlined';
import type { Element } from 'domhandler';
import { memo, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { viewOf } from './pageView';
import type { PageView, ViewNode } from './pageView';
import { ancestorsOf, textOf } from './samplePage';
import type { SamplePage } from './samplePage';

/** Elements that a choice concerns. */
type Marks = { readonly rows: readonly Element[]; readonly columns: readonly Element[] };

/** `li.product`: what an element is called on the screen. */
export const nameOf = ({ name, attribs }: Element): string => [name, ...(attribs['class'] ?? '').split(/\s+/).filter(Boolean).slice(0, 1)].join('.');

/** The name of an image that is not loaded. */
const fileName = (element: Element): string => element.attribs['alt']?.trim() || /[^/?#]{1,40}(?=$|[?#])/.exec(element.attribs['src'] ?? '')?.[0] || 'img';

function Node({ node, page }: { readonly node: ViewNode; readonly page: SamplePage }): ReactElement {
  const element = page.elements.get(node.index) as Element;
  if (node.look === 'break') return <br />;
  if (node.look === 'image')
    return (
      <span data-at={node.index} className="sample-image">
        <Image aria-hidden="true" fontSize="small" /> <span>{fileName(element)}</span>
      </span>
    );
  if (node.look === 'input')
    return (
      <span data-at={node.index} className="sample-input">
        {element.attribs['placeholder'] ?? element.attribs['value'] ?? element.name}
      </span>
    );
  const Tag = node.look === 'inline' || node.look === 'link' ? 'span' : 'div';
  return (
    <Tag data-at={node.index} className={`sample-${node.look}`} data-level={node.look === 'heading' ? element.name : undefined}>
      {/* What is in a page has no identity but its place, and never changes. */}
      {node.children.map((child, at) => (typeof child === 'string' ? child : <Node key={at} node={child} page={page} />))}
    </Tag>
  );
}

/** Thousands of elements, drawn once: marks are set on the drawn ones. Nothing of the page gets here but its texts. */
const Content = memo(function Content({ page, roots }: { readonly page: SamplePage; readonly roots: readonly (ViewNode | string)[] }): ReactElement {
  // oxlint-disable-next-line react/no-array-index-key
  return <>{roots.map((node, at) => (typeof node === 'string' ? node : <Node key={at} node={node} page={page} />))}</>;
});

type Props = {
  readonly page: SamplePage;
  readonly marks: Marks;
  readonly current: Element | null;
  readonly onMove: (element: Element) => void;
  readonly onPick: (element: Element) => void;
};

type From = Pick<PageView, 'order' | 'valued'> & { readonly at: number; readonly around: readonly number[]; readonly isInside: (index: number) => boolean };
const moves: Readonly<Record<string, (from: From) => number | undefined>> = {
  ArrowDown: ({ valued, at }) => valued.find((one) => one > at),
  ArrowUp: ({ valued, at }) => valued.findLast((one) => one < at),
  ArrowRight: ({ order, at, isInside }) => order.find((one) => one > at && isInside(one)),
  ArrowLeft: ({ order, around }) => order.findLast((one) => around.includes(one)),
  Home: ({ valued }) => valued[0],
  End: ({ valued }) => valued.at(-1),
};

/** Where a key leads from an element: up and down from value to value, left and right to the element around and inside. */
function nextOf(key: string, { page, current }: Pick<Props, 'page' | 'current'>, view: PageView): Element | null {
  const at = current === null ? -1 : page.indexOf(current);
  const around = current === null ? [] : ancestorsOf(current).map(page.indexOf);
  const isInside = (index: number): boolean => current !== null && ancestorsOf(page.elements.get(index) ?? current).includes(current);
  const index = moves[key]?.({ at, ...view, around, isInside });
  return index === undefined ? null : (page.elements.get(index) ?? null);
}

/** Sets the marks on the drawn elements; returns their frame. */
function useMarks({ page, marks, current }: Pick<Props, 'page' | 'marks' | 'current'>, { standIn }: PageView) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<ReadonlyMap<number, HTMLElement>>(new Map());
  const drawnFor = (element: Element): HTMLElement | undefined => {
    let index = page.indexOf(element);
    for (let next = standIn.get(index); next !== undefined; next = standIn.get(index)) index = next;
    return drawn.current.get(index);
  };
  const mark = useEffectEvent((name: string, elements: readonly Element[]): HTMLElement[] => {
    const attribute = `data-${name}`;
    const marked = new Set(elements.flatMap((element) => drawnFor(element) ?? []));
    // Only what differs: there may be thousands, and each letter of a column's name marks them again.
    for (const one of frame.current?.querySelectorAll<HTMLElement>(`[${attribute}]`) ?? []) if (!marked.has(one)) one.removeAttribute(attribute);
    for (const one of marked) if (!one.hasAttribute(attribute)) one.setAttribute(attribute, '');
    return [...marked];
  });
  useEffect(() => {
    const all = frame.current?.querySelectorAll<HTMLElement>('[data-at]') ?? [];
    drawn.current = new Map([...all].map((one) => [Number(one.dataset['at']), one]));
  }, [page]);
  useEffect(() => void mark('row', marks.rows), [page, marks.rows]);
  useEffect(() => void mark('column', marks.columns), [page, marks.columns]);
  useEffect(() => {
    const [marked] = mark('current', current === null ? [] : [current]);
    // Newer browsers return a promise, which an effect must not: the braces are needed.
    marked?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [page, current]);
  return frame;
}

/** The page to choose from, by a click or with the arrow keys. */
export function SampleView({ page, marks, current, onMove, onPick }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const helpId = useId();
  const view = useMemo(() => viewOf(page), [page]);
  const frame = useMarks({ page, marks, current }, view);
  const [hovered, setHovered] = useState<Element | null>(null);
  const elementAt = (target: EventTarget): Element | null => {
    const found = target instanceof HTMLElement || target instanceof SVGElement ? target.closest('[data-at]') : null;
    return found === null ? null : (page.elements.get(Number(found.getAttribute('data-at'))) ?? null);
  };
  const click = (event: MouseEvent): void => {
    const element = elementAt(event.target);
    if (element !== null) onPick(element);
  };
  const press = (event: KeyboardEvent): void => {
    const isPick = (event.key === 'Enter' || event.key === ' ') && current !== null;
    if (!isPick && !(event.key in moves)) return;
    event.preventDefault();
    const element = isPick ? current : nextOf(event.key, { page, current }, view);
    if (element === null) return;
    setHovered(null);
    if (isPick) onPick(element);
    else onMove(element);
  };
  const named = hovered ?? current;
  const text = named === null ? t('picking.keys') : named.name === 'img' ? fileName(named) : textOf(named).slice(0, 80);
  return (
    <div className="sample">
      {/* One stop for the keyboard, in which the arrow keys move: an element of the page for each would be thousands. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={frame}
        className="sample-page"
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('picking.page')}
        aria-describedby={helpId}
        onClick={click}
        onKeyDown={press}
        onPointerOver={(event) => setHovered(elementAt(event.target))}
        onPointerLeave={() => setHovered(null)}
      >
        {view.order.length === 0 ? <p className="sample-empty">{t('picking.empty')}</p> : <Content page={page} roots={view.roots} />}
      </div>
      <span id={helpId} hidden>
        {t('picking.keys')}
      </span>
      <p className="sample-status" aria-live="polite">
        {named !== null && <code>{nameOf(named)}</code>}
        <span title={text}>{text}</span>
      </p>
    </div>
  );
}
