import { normalizePath } from '@contract/paths';
import { longestWalk } from '@contract/insights/reports';
import type { Journey } from '@contract/insights/reports';
import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { BlockState } from '../BlockState';
import { scopeOf } from '../blocksApi';
import { QuietSelect } from '../QuietSelect';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useJourneyQuery } from './insightsApi';

type Column = Journey['columns'][number];

const itemLook = {
  display: 'flex',
  gap: 1,
  width: '100%',
  justifyContent: 'space-between',
  textAlign: 'start',
  px: 1,
  py: 0.75,
  minHeight: 32,
  fontSize: 'var(--text-table)',
  fontWeight: 400,
  borderRadius: 1,
} as const;

/** A bar behind an item, as wide as its share of the column's visits. */
const barLook = (visits: number, total: number) => ({
  backgroundImage: `linear-gradient(to right, color-mix(in srgb, var(--chart-accent) 16%, transparent) ${(visits / Math.max(1, total)) * 100}%, transparent 0)`,
});

const VisitsShare = ({ visits, total }: { readonly visits: number; readonly total: number }): ReactElement => {
  const format = useFormat();
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}>
      {format.number(visits)} · {total === 0 ? '' : format.percent(visits / total)}
    </Box>
  );
};

type PageProps = {
  readonly page: Column['pages'][number];
  readonly total: number;
  readonly chosen: boolean;
  /** null: the walk cannot become longer. */ readonly onWalk: ((path: string) => void) | null;
};

const PageItem = ({ page: { path, visits }, total, chosen, onWalk }: PageProps): ReactElement => (
  <li>
    <Button
      color="inherit"
      disabled={onWalk === null}
      aria-pressed={chosen}
      onClick={() => onWalk?.(path)}
      sx={{
        ...itemLook,
        ...barLook(visits, total),
        ...(chosen ? { outline: 1, outlineColor: 'primary.main' } : {}),
        '&.Mui-disabled': { color: 'text.primary' },
      }}
    >
      <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
        {path}
      </Box>
      <VisitsShare visits={visits} total={total} />
    </Button>
  </li>
);

const ColumnView = ({
  column,
  title,
  chosen,
  onWalk,
  end,
}: {
  readonly column: Column;
  readonly title: string;
  readonly chosen: string | undefined;
  readonly onWalk: ((path: string) => void) | null;
  readonly end: 'entry' | 'exit';
}): ReactElement => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const total = column.visits;
  return (
    <Box component="section" aria-label={title} sx={{ minWidth: 220, flex: '1 1 0' }}>
      <Typography component="h3" sx={{ fontSize: 'var(--text-body)', fontWeight: 600, mb: 1 }}>
        {title}
        <Typography component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary' }}>
          {t('journey.visits', { count: total, countText: format.number(total) })}
        </Typography>
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 0.5 }}>
        {column.pages.map((page) => (
          <PageItem key={page.path} page={page} total={total} chosen={chosen === page.path} onWalk={onWalk} />
        ))}
        {column.other.pages > 0 && (
          <Box component="li" sx={{ ...itemLook, ...barLook(column.other.visits, total) }}>
            <span>{t('journey.others', { count: column.other.pages })}</span>
            <VisitsShare visits={column.other.visits} total={total} />
          </Box>
        )}
        {column.ended > 0 && (
          <Box component="li" sx={{ ...itemLook, ...barLook(column.ended, total), color: 'text.secondary' }}>
            <span>{t(end === 'entry' ? 'journey.left' : 'journey.began')}</span>
            <VisitsShare visits={column.ended} total={total} />
          </Box>
        )}
      </Box>
    </Box>
  );
};

const Content = ({ site, state }: InsightProps): ReactElement => {
  const { t } = useTranslation('insights');
  const [params, setParams] = useSearchParams();
  const end = params.get('end') === 'exit' ? 'exit' : 'entry';
  const steps = params
    .getAll('step')
    .slice(0, longestWalk - 1)
    .map(normalizePath);
  const result = useJourneyQuery({ siteId: site.id, ...scopeOf(state), end, step: steps });
  const walk = (next: readonly string[], from: 'entry' | 'exit' = end): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('step');
        after.delete('end');
        if (from === 'exit') after.set('end', 'exit');
        for (const step of next) after.append('step', step);
        return after;
      },
      { preventScrollReset: true },
    );
  const titleOf = (index: number): string =>
    index === 0 ? t(end === 'entry' ? 'journey.entry' : 'journey.exit') : t(end === 'entry' ? 'journey.step' : 'journey.stepBack', { n: index });
  return (
    <Section
      title={t('journey.title')}
      note={t(end === 'entry' ? 'journey.noteEntry' : 'journey.noteExit')}
      actions={
        <>
          <QuietSelect
            label={t('journey.end')}
            value={end}
            options={(['entry', 'exit'] as const).map((id) => ({ id, name: t(`journey.from.${id}`) }))}
            onChange={(id) => walk([], id)}
          />
          {steps.length > 0 && <Button onClick={() => walk([])}>{t('journey.again')}</Button>}
        </>
      }
    >
      <BlockState name={t('journey.title')} result={result} skeleton={<RowsSkeleton rows={6} />}>
        {({ columns }) =>
          columns[0]?.visits === 0 ? (
            <EmptyState title={t('journey.emptyTitle')}>{t('journey.emptyText')}</EmptyState>
          ) : (
            <Box
              sx={{ display: 'flex', flexDirection: { xs: 'column', sm: 'row' }, gap: 3, overflowX: 'auto', alignItems: { xs: 'stretch', sm: 'flex-start' } }}
            >
              {columns.map((column, index) => (
                <ColumnView
                  // A column is its place in the walk.
                  // oxlint-disable-next-line react/no-array-index-key
                  key={index}
                  column={column}
                  title={titleOf(index)}
                  chosen={steps[index]}
                  end={end}
                  onWalk={index < longestWalk - 1 ? (path) => walk(steps[index] === path ? steps.slice(0, index) : [...steps.slice(0, index), path]) : null}
                />
              ))}
            </Box>
          )
        }
      </BlockState>
    </Section>
  );
};

/** The order in which visits move between pages, step by step. */
export const Component = (): ReactElement => <InsightFrame title="journey">{(props) => <Content {...props} />}</InsightFrame>;
