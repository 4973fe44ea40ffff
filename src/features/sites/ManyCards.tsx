import { useLayoutEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { SiteCards } from './SiteCards';
import type { SiteListProps } from './SiteCards';
import { useWindowRows } from './useWindowRows';

/** As `.site-cards` of sites.css lays them out. */
const gap = 16;
const leastWidth = 300;
/** Height until a card has been measured. */
const usualHeight = 176;

/** Cards of many sites, of which only the visible rows are rendered. */
export default function ManyCards(props: SiteListProps): ReactElement {
  const [size, setSize] = useState({ columns: 3, height: usualHeight + gap });
  const rows = Math.ceil(props.sites.length / size.columns);
  const { list, from, to, before, after } = useWindowRows<HTMLDivElement>(rows, size.height);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const measure = (): void => {
      const columns = Math.max(1, Math.floor((element.clientWidth + gap) / (leastWidth + gap)));
      const height = (element.querySelector('.site-card')?.getBoundingClientRect().height ?? usualHeight) + gap;
      setSize((known) => (known.columns === columns && Math.abs(known.height - height) < 0.5 ? known : { columns, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return (
    <div ref={list}>
      <SiteCards {...props} sites={props.sites.slice(from * size.columns, to * size.columns)} style={{ paddingTop: before, paddingBottom: after }} />
    </div>
  );
}
