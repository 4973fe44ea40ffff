import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { CrawlGraph } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { readableUrl } from '@/lib/readableUrl';
import { DataTable } from '@/ui/DataTable';
import { KeyFigure } from '@/ui/KeyFigure';
import { Section } from '@/ui/Section';
import type { Column } from '@/ui/tableColumns';
import { PageLink } from '../parts';
import { pagesWith } from '../pageAddress';
import { TemplateGraph } from './TemplateGraph';

type Ranked = CrawlGraph['top'][number];

/** Templates are named by their size; the address of a page says which one it is. */
export const templateNames = (nodes: CrawlGraph['nodes'], name: (number: number) => string, others: string): ReadonlyMap<string, string> =>
  new Map(nodes.map(({ template }, at) => [template, template === '' ? others : name(at + 1)]));

function Depths({ depths }: Pick<CrawlGraph, 'depths'>): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [params] = useSearchParams();
  const most = Math.max(1, ...depths.map(({ pages }) => pages));
  return (
    <ul className="inventory-bars" aria-label={t('links.depths')}>
      {depths.map(({ depth, pages }) => (
        <li key={depth}>
          <Link className="text-link" to={pagesWith(params, { range: `depth:${String(depth)}:${String(depth)}` })}>
            {t('links.depth', { count: depth })}
          </Link>
          <span className="inventory-bar-track" aria-hidden="true">
            <span style={{ width: `${String((100 * pages) / most)}%` }} />
          </span>
          <span className="inventory-number">{format.number(pages)}</span>
        </li>
      ))}
    </ul>
  );
}

function RankedPages({ label, rows }: { readonly label: string; readonly rows: readonly Ranked[] }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const columns: readonly Column<Ranked>[] = [
    { id: 'url', name: t('column.url'), fills: true, cell: (page) => <PageLink page={page} /> },
    { id: 'rank', name: t('column.page_rank'), numeric: true, cell: ({ pageRank }) => format.percent(pageRank, 3) },
    { id: 'in', name: t('column.links_in'), numeric: true, cell: ({ linksIn }) => format.number(linksIn) },
  ];
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ urlId }) => String(urlId)} dense empty={t('links.noRank')} />;
}

/** Links between templates, the depth of pages, and the pages with the highest and the lowest PageRank. */
export function GraphView({ graph }: { readonly graph: CrawlGraph }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [params] = useSearchParams();
  const names = templateNames(graph.nodes, (number) => t('template.name', { number }), t('template.others'));
  const figure = (name: string, value: number, filter: Readonly<Record<string, string>>): ReactElement => (
    <Link className="inventory-figure" to={pagesWith(params, filter)}>
      <KeyFigure name={name} value={format.number(value)} />
    </Link>
  );
  return (
    <>
      <div className="inventory-figures">
        {figure(t('links.orphans'), graph.orphans, { orphan: '1' })}
        {figure(t('links.redirects'), graph.redirects, { kind: 'all', status: '3xx' })}
        {figure(t('links.broken'), graph.broken, { kind: 'all', range: 'status:400:' })}
      </div>
      <Section title={t('links.templates')} note={t(graph.sampled ? 'links.templatesSampled' : 'links.templatesNote')}>
        <TemplateGraph graph={graph} names={names} />
        <DataTable
          label={t('links.templates')}
          dense
          columns={[
            { id: 'from', name: t('links.from'), cell: ({ from }) => names.get(from) ?? '', value: ({ from }) => names.get(from) ?? '' },
            { id: 'to', name: t('links.to'), cell: ({ to }) => names.get(to) ?? '', value: ({ to }) => names.get(to) ?? '' },
            { id: 'links', name: t('tab.links'), numeric: true, sortable: true, cell: ({ links }) => format.number(links), value: ({ links }) => links },
          ]}
          rows={graph.edges.toSorted((a, b) => b.links - a.links).slice(0, 20)}
          rowKey={({ from, to }) => `${from} ${to}`}
          empty={t('links.none')}
        />
        <dl className="inspector-facts">
          {graph.nodes.map(({ template, pages, example }) => (
            <div key={template}>
              <dt>{names.get(template)}</dt>
              <dd>
                {t('issue.pages', { count: pages, countText: format.number(pages) })}
                {example && <> · {readableUrl(example.url)}</>}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('links.depths')} note={t('links.depthsNote')}>
        <Depths depths={graph.depths} />
      </Section>
      <Section title={t('links.top')}>
        <RankedPages label={t('links.top')} rows={graph.top} />
      </Section>
      <Section title={t('links.bottom')}>
        <RankedPages label={t('links.bottom')} rows={graph.bottom} />
      </Section>
    </>
  );
}
