import OpenIcon from '@mui/icons-material/OpenInNewOutlined';
import DrawingIcon from '@mui/icons-material/AltRouteOutlined';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import type { Flow } from '@contract/analytics/schemas';
import { IconButton } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { webAddress } from '@/lib/webAddress';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { scopeOf, useFlowQuery } from './blocksApi';
import { withFilter } from './filters';
import { FlowDrawing } from './FlowDrawing';
import { type FlowStep, stepsAfter, stepsBefore } from './flowModel';
import { PageChooser } from './PageChooser';
import { PartLinks } from './PartLinks';
import { useLabels, type Labels } from './useLabels';
import { WhyButton } from './WhyButton';

const Figures = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(120px, 1fr))',
  gap: 16,
  margin: '0 0 16px',
  '& dt': { fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' },
  '& dd': {
    fontSize: 'var(--text-page)',
    fontWeight: 600,
    '& small': { fontSize: 'var(--text-secondary)', fontWeight: 400, color: 'var(--ink-2)', marginLeft: 6 },
  },
});
const Here = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  marginBottom: 16,
  '& h3': { fontSize: 'var(--text-section)', fontWeight: 600, overflowWrap: 'anywhere' },
});

const stepName = (labels: Labels, step: FlowStep): string => {
  const { t } = labels;
  switch (step.kind) {
    case 'source':
      // 百度 names both its search results and its ads.
      return step.key === '' || step.sourceType === 'ad'
        ? [step.key === '' ? '' : labels.nameOf('sourceName', step.key), labels.nameOf('sourceType', step.sourceType ?? '')]
            .filter((part) => part !== '')
            .join(' · ')
        : labels.nameOf('sourceName', step.key);
    case 'page':
      return step.key;
    case 'again':
      return t('blocks.flow.again');
    case 'exit':
      return t('blocks.flow.exit');
    case 'rest':
      return t('blocks.flow.rest');
  }
};

/** What came before and after one page in the same visit; a click on a neighbour moves to it. The page is `at` in the address. */
const FlowBlock: LazyBlock<'flow'> = ({ site, state, change }): ReactElement => {
  const { t } = useLabels();
  const choose = (path: string): void => change({ at: path });
  const [table, setTable] = useState(false);
  return (
    <Section
      title={t('blocks.flow.title')}
      {...(state.at === null
        ? {}
        : {
            actions: (
              <>
                <PartLinks site={site} part="flow" query={{ ...scopeOf(state), path: state.at }} />
                <IconButton
                  size="small"
                  aria-pressed={table}
                  aria-label={t(table ? 'blocks.flow.asDrawing' : 'blocks.flow.asTable')}
                  title={t(table ? 'blocks.flow.asDrawing' : 'blocks.flow.asTable')}
                  onClick={() => setTable(!table)}
                >
                  {table ? <DrawingIcon fontSize="small" /> : <TableIcon fontSize="small" />}
                </IconButton>
              </>
            ),
          })}
    >
      <PageChooser key={state.at ?? ''} site={site} state={state} path={state.at} onChoose={choose} />
      {state.at !== null && <OnePage {...{ site, state, change, table }} path={state.at} choose={choose} />}
    </Section>
  );
};

const OnePage = ({
  site,
  state,
  change,
  path,
  choose,
  table,
}: Pick<BlockProps, 'site' | 'state' | 'change'> & {
  readonly path: string;
  readonly choose: (path: string) => void;
  readonly table: boolean;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const result = useFlowQuery({ siteId: site.id, ...scopeOf(state), path });
  const name = path;
  const address = webAddress(site.url ?? site.systemHost, path);
  const pick = (step: FlowStep): void => {
    if (step.kind === 'page') choose(step.key);
    if (step.kind === 'source') {
      const typed = withFilter(state.filters, { by: 'sourceType', op: 'is', values: [step.sourceType ?? ''] });
      change({ filters: step.key === '' ? typed : withFilter(typed, { by: 'sourceName', op: 'is', values: [step.key] }) });
    }
  };
  const hint = (step: FlowStep): string | undefined =>
    step.kind === 'page'
      ? t('blocks.flow.go', { name: stepName(labels, step) })
      : step.kind === 'source'
        ? t('blocks.flow.bySource', { name: stepName(labels, step) })
        : undefined;
  return (
    <BlockState name={t('blocks.flow.title')} result={result} skeleton={<Bone h={320} style={{ opacity: 0.5 }} />}>
      {(flow) => (
        <>
          <Here>
            <h3>{name}</h3>
            {address !== null && (
              <IconButton
                size="small"
                component="a"
                href={address}
                target="_blank"
                rel="noreferrer noopener"
                aria-label={`${t('block.open')} ${name}`}
                title={t('block.open')}
              >
                <OpenIcon fontSize="small" />
              </IconButton>
            )}
          </Here>
          {flow.views === 0 ? (
            <EmptyState kind="noMatch" title={t('blocks.flow.none')}>
              {t('blocks.flow.noneText')}
            </EmptyState>
          ) : (
            <>
              <FlowFigures flow={flow} />
              {table ? (
                <FlowTable flow={flow} labels={labels} />
              ) : (
                <FlowDrawing
                  label={t('blocks.flow.drawing', { name })}
                  before={stepsBefore(flow)}
                  after={stepsAfter(flow)}
                  page={name}
                  views={flow.views}
                  nameOf={(step) => stepName(labels, step)}
                  hint={hint}
                  onPick={pick}
                />
              )}
            </>
          )}
        </>
      )}
    </BlockState>
  );
};

/** The page's views and what followed them; each figure can be explained. */
const FlowFigures = ({ flow }: { readonly flow: Flow }): ReactElement => {
  const { t, format } = useLabels();
  const onward = flow.views - flow.exits - flow.againNext;
  const figures = [
    { id: 'views', value: flow.views, share: null },
    { id: 'entries', value: flow.entries, share: flow.entries / flow.views },
    { id: 'onward', value: onward, share: onward / flow.views },
    { id: 'again', value: flow.again, share: flow.again / flow.views },
    { id: 'exits', value: flow.exits, share: flow.exits / flow.views },
  ] as const;
  return (
    <Figures>
      {figures.map(({ id, value, share }) => {
        const name = t(`blocks.flow.${id}`);
        return (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <WhyButton label={t('blocks.explain', { name, value: format.number(value) })} title={name} explanation={<p>{t(`blocks.flow.explain.${id}`)}</p>}>
                {format.compact(value)}
              </WhyButton>
              {share !== null && <small>{format.percent(share)}</small>}
            </dd>
          </div>
        );
      })}
    </Figures>
  );
};

type FlowRow = { readonly id: string; readonly side: 'upstream' | 'downstream'; readonly step: FlowStep };

const FlowTable = ({ flow, labels }: { readonly flow: Flow; readonly labels: Labels }): ReactElement => {
  const { t, format } = labels;
  const rows: readonly FlowRow[] = [
    ...stepsBefore(flow).map((step): FlowRow => ({ id: `before ${step.id}`, side: 'upstream', step })),
    ...stepsAfter(flow).map((step): FlowRow => ({ id: `after ${step.id}`, side: 'downstream', step })),
  ];
  return (
    <DataTable
      label={t('blocks.flow.title')}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { id: 'name', name: t('blocks.flow.page'), fills: true, share: ({ step }) => step.share, cell: ({ step }) => stepName(labels, step) },
        { id: 'side', name: t('blocks.flow.step'), cell: ({ side }) => t(`blocks.flow.${side}`) },
        { id: 'kind', name: t('blocks.flow.kindName'), cell: ({ step }) => t(`blocks.flow.kind.${step.kind}`) },
        { id: 'views', name: t('blocks.flow.views'), numeric: true, cell: ({ step }) => format.number(step.views) },
        { id: 'share', name: t('blocks.histogram.bar'), numeric: true, cell: ({ step }) => format.percent(step.share) },
      ]}
    />
  );
};

export default FlowBlock;
