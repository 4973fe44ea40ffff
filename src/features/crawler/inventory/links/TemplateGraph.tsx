import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlGraph } from '@contract/crawler/inventorySchemas';

const width = 720;
const height = 360;
const centre = { x: width / 2, y: height / 2 };
const radius = { x: 270, y: 130 };

type Place = { readonly x: number; readonly y: number; readonly size: number };

/** Nodes on an ellipse, the largest first, at the left. */
const placesOf = (nodes: CrawlGraph['nodes']): readonly Place[] => {
  const most = Math.max(1, ...nodes.map(({ pages }) => pages));
  return nodes.map(({ pages }, at) => {
    const angle = Math.PI + (2 * Math.PI * at) / nodes.length;
    const isAlone = nodes.length === 1;
    return {
      x: centre.x + (isAlone ? 0 : radius.x * Math.cos(angle)),
      y: centre.y + (isAlone ? 0 : radius.y * Math.sin(angle)),
      size: 6 + 18 * Math.sqrt(pages / most),
    };
  });
};

/** Bent towards the centre, so that the two directions between two templates stay apart. */
const wayOf = (from: Place, to: Place): string => {
  if (from === to) return `M ${String(from.x - 6)} ${String(from.y)} a ${String(from.size + 8)} ${String(from.size + 8)} 0 1 1 12 0`;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const middle = { x: (from.x + to.x) / 2 - dy * 0.12, y: (from.y + to.y) / 2 + dx * 0.12 };
  return `M ${String(from.x)} ${String(from.y)} Q ${String(middle.x)} ${String(middle.y)} ${String(to.x)} ${String(to.y)}`;
};

/** Templates as circles by their number of pages, links between them as lines by their number; the table below says the same. */
export function TemplateGraph({
  graph: { nodes, edges },
  names,
}: {
  readonly graph: CrawlGraph;
  readonly names: ReadonlyMap<string, string>;
}): ReactElement | null {
  const { t } = useTranslation('inventory');
  if (nodes.length === 0) return null;
  const places = placesOf(nodes);
  const placeOf = new Map(nodes.map(({ template }, at) => [template, places[at] as Place]));
  const most = Math.max(1, ...edges.map(({ links }) => links));
  return (
    <svg className="inventory-graph" viewBox={`0 0 ${String(width)} ${String(height)}`} role="img" aria-label={t('links.graphLabel', { count: nodes.length })}>
      {edges.map(({ from, to, links }) => {
        const [start, end] = [placeOf.get(from), placeOf.get(to)];
        if (!start || !end) return null;
        const weight = Math.log1p(links) / Math.log1p(most);
        return (
          <path
            key={`${from} ${to}`}
            d={wayOf(start, end)}
            fill="none"
            stroke="var(--chart-muted)"
            strokeOpacity={0.2 + 0.5 * weight}
            strokeWidth={0.75 + 3 * weight}
          />
        );
      })}
      {nodes.map(({ template }, at) => {
        const { x, y, size } = places[at] as Place;
        return (
          <g key={template}>
            <circle cx={x} cy={y} r={size} fill="var(--chart-accent)" stroke="var(--canvas)" strokeWidth={2} />
            <text x={x} y={y + size + 14} textAnchor="middle" className="graph-name" fill="currentColor">
              {names.get(template)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
