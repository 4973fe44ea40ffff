import Image from '@mui/icons-material/ImageOutlined';
import type { Element } from 'domhandler';
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { viewOf } from './pageView';
import type { ViewNode } from './pageView';
import { ancestorsOf, textOf } from './samplePage';
import type { SamplePage } from './samplePage';

/** Elements that a choice concerns. */
export type Marks = { readonly rows: readonly Element[]; readonly columns: readonly Element[] };

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

/** The page to choose from, by a click or with the arrow keys. */
export function SampleView({ page, marks, current, onMove, onPick }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const frame = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const view = useMemo(() => viewOf(page), [page]);
  const [hovered, setHovered] = useState<Element | null>(null);

  const shownAt = (element: Element): HTMLElement | null => {
    let index = page.indexOf(element);
    for (let next = view.standIn.get(index); next !== undefined; next = view.standIn.get(index)) index = next;
    return frame.current?.querySelector(`[data-at="${String(index)}"]`) ?? null;
  };
  const mark = (name: string, elements: readonly Element[]): void => {
    for (const one of frame.current?.querySelectorAll(`[data-${name}]`) ?? []) one.removeAttribute(`data-${name}`);
    for (const element of elements) shownAt(element)?.setAttribute(`data-${name}`, '');
  };
  useEffect(() => mark('row', marks.rows));
  useEffect(() => mark('column', marks.columns));
  useEffect(() => {
    mark('current', current === null ? [] : [current]);
    if (current !== null) shownAt(current)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const elementAt = (target: EventTarget): Element | null => {
    const found = target instanceof HTMLElement || target instanceof SVGElement ? target.closest('[data-at]') : null;
    return found === null ? null : (page.elements.get(Number(found.getAttribute('data-at'))) ?? null);
  };
  const click = (event: MouseEvent): void => {
    const element = elementAt(event.target);
    if (element !== null) onPick(element);
  };
  const move = (event: KeyboardEvent): void => {
    const at = current === null ? -1 : page.indexOf(current);
    const inView = new Set(view.order);
    const next = {
      ArrowDown: () => view.valued.find((index) => index > at),
      ArrowUp: () => view.valued.findLast((index) => index < at),
      ArrowRight: () => view.order.find((index) => index > at && current !== null && ancestorsOf(page.elements.get(index) as Element).includes(current)),
      ArrowLeft: () =>
        current === null
          ? undefined
          : ancestorsOf(current)
              .map(page.indexOf)
              .find((index) => inView.has(index)),
      Home: () => view.valued[0],
      End: () => view.valued.at(-1),
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const element = page.elements.get(next() ?? -1);
      if (element !== undefined) onMove(element);
    } else if ((event.key === 'Enter' || event.key === ' ') && current !== null) {
      event.preventDefault();
      onPick(current);
    }
  };
  const named = hovered ?? current;
  return (
    <div className="sample">
      <div
        ref={frame}
        className="sample-page"
        role="application"
        tabIndex={0}
        aria-label={t('picking.page')}
        aria-describedby={helpId}
        onClick={click}
        onKeyDown={move}
        onMouseOver={(event) => setHovered(elementAt(event.target))}
        onMouseLeave={() => setHovered(null)}
      >
        {view.order.length === 0 ? <p className="sample-empty">{t('picking.empty')}</p> : <Content page={page} roots={view.roots} />}
      </div>
      <span id={helpId} hidden>
        {t('picking.keys')}
      </span>
      <p className="sample-status" aria-live="polite">
        {named === null ? (
          t('picking.keys')
        ) : (
          <>
            <code>{nameOf(named)}</code> {named.name === 'img' ? fileName(named) : textOf(named).slice(0, 80)}
          </>
        )}
      </p>
    </div>
  );
}
