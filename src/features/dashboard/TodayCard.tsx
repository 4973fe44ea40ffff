import type { CardData, Compared } from '@contract/dashboard/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { shortMeasure, writeMeasure } from '@/lib/measureText';
import { oneOf, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { Chart } from '@/ui/chart/Chart';
import { Delta } from '@/ui/Delta';
import { type BetterDirection, smallSampleVisits } from '@/ui/difference';
import { EmptyState } from '@/ui/EmptyState';
import { KeyFigure } from '@/ui/KeyFigure';
import { Bone } from '@/ui/skeletons';
import { CardSection } from './CardSection';
import { useNoteText } from './TodayNotes';
import type { Dashboard } from './useDashboard';
import { useWhyAhead, WhyChanged, whyButton } from './WhyChanged';

const Row = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(112px, 1fr))',
  gap: '16px 24px',
  marginBottom: 12,
  '& small': { display: 'block', fontSize: 'var(--text-secondary)', color: 'var(--ink-2)', whiteSpace: 'nowrap' },
  '@media (max-width: 719px)': { gridTemplateColumns: '1fr 1fr', gap: '12px 24px' },
});
const Headline = styled('p')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 8px',
  margin: '0 0 12px',
  '& b': { fontWeight: 600 },
  '& [data-tone="bad"]': { color: 'var(--bad)' },
  '& [data-tone="good"]': { color: 'var(--good)' },
});
const figures = [
  { id: 'visitors', better: 'more' },
  { id: 'views', better: 'more' },
  { id: 'bounceRate', better: 'less' },
  { id: 'avgDuration', better: 'more' },
] as const satisfies readonly { readonly id: string; readonly better: BetterDirection }[];
type Today = CardData<'today'>;
type Why = '' | 'yesterday' | 'week';
const whyState = { why: oneOf<Why>(['', 'yesterday', 'week'], '') };

/** What the panel compares with, from the address; empty: it is closed. */
function useWhy(siteId: string): readonly [Why, (next: Why) => void] {
  const [{ why }, setState] = useSearchState(whyState);
  useWhyAhead(siteId, why);
  return [why, (next) => setState({ why: next })];
}

const Loading = (): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <Row>
        {figures.map(({ id }) => (
          <KeyFigure key={id} name={t(`figure.${id}`)} value="" loading />
        ))}
      </Row>
      <Bone h={180} style={{ opacity: 0.5 }} />
    </>
  );
};

/** What a person wants to know first, as a sentence: whether more or fewer people come than usual. */
const Sentence = ({ data, why, onWhy }: { data: Today; why: boolean; onWhy: () => void }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { number } = useFormat();
  const { now, yesterday } = data.figures.visitors;
  const difference = (now ?? 0) - (yesterday ?? 0);
  const tone =
    data.early || difference === 0 || Math.min(data.visits.now ?? 0, data.visits.yesterday ?? 0) < smallSampleVisits
      ? 'neutral'
      : difference > 0
        ? 'good'
        : 'bad';
  const kind = difference > 0 ? 'more' : difference < 0 ? 'fewer' : 'same';
  return (
    <Headline>
      <span data-tone={tone}>
        <b>{t(`sentence.${kind}`, { count: Math.abs(difference), number: number(Math.abs(difference)) })}</b>
      </span>
      {data.early && <span style={{ color: 'var(--ink-2)' }}>{t('early')}</span>}
      {(now ?? 0) + (yesterday ?? 0) > 0 && (
        <Button id={whyButton} variant="outlined" aria-expanded={why} onClick={onWhy}>
          {t('why.open')}
        </Button>
      )}
    </Headline>
  );
};

const Against = ({
  label,
  now,
  before,
  better,
  sample,
  early,
  write,
}: {
  label: string;
  now: number | null;
  before: number | null;
  better: BetterDirection;
  sample: number;
  early: boolean;
  write: (value: number | null) => string;
}): ReactElement => (
  <small>
    {label} {early || !before ? write(before) : <Delta now={now} before={before} better={better} sample={sample} hint={`${write(now)} / ${write(before)}`} />}
  </small>
);

const DayChart = ({ data }: { data: Today }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const textOf = useNoteText();
  return (
    <Chart
      label={t('lineLabel')}
      height={180}
      points={data.hours.map(({ label, open }) => ({ name: label, tick: label, open }))}
      notes={data.notes.map((note) => ({ index: note.index, text: `${note.time} ${textOf(note)}` }))}
      lines={[
        {
          id: 'visitors',
          name: t('lineToday'),
          unit: 'count',
          values: data.hours.map(({ now }) => now),
          compareLabel: t('lineYesterday'),
          compare: data.hours.map(({ yesterday }) => yesterday),
          write: (value) => writeMeasure(format, 'visitors', value),
          writeTick: format.compact,
        },
      ]}
    />
  );
};

const weekdayOf = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** Today so far against yesterday and the same weekday of last week at the same time, the day by hours, and why it changed. */
export const TodayCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const [why, setWhy] = useWhy(site.id);
  const data = dashboard.cards?.today?.data;
  return (
    <CardSection
      id="today"
      dashboard={dashboard}
      title={t('card.today')}
      note={data ? t('todayNote', { time: format.time(data.at, { timeZone: site.timeZone }), zone: site.timeZone }) : undefined}
      more={`${href('site.als.overview', { siteId: site.id })}?range=today`}
      columns={8}
      skeleton={<Loading />}
      empty={
        <EmptyState ghost="chart" title={t('noVisits')}>
          {t('noVisitsText')}
        </EmptyState>
      }
    >
      {(today) => {
        const { visits, early } = today;
        const figureOf = (id: 'visitors' | 'views' | 'bounceRate' | 'avgDuration', better: BetterDirection, { now, yesterday, lastWeek }: Compared) => {
          const write = (value: number | null): string => writeMeasure(format, id, value);
          const sample = (before: number | null): number => Math.min(visits.now ?? 0, before ?? 0);
          return (
            <KeyFigure
              key={id}
              name={t(`figure.${id}`)}
              value={shortMeasure(format, id, now)}
              exact={write(now)}
              below={
                <>
                  <Against label={t('yesterday')} now={now} before={yesterday} better={better} sample={sample(visits.yesterday)} early={early} write={write} />
                  <Against
                    label={t('lastWeekday', { weekday: weekdayOf(today.day, format.locale) })}
                    now={now}
                    before={lastWeek}
                    better={better}
                    sample={sample(visits.lastWeek)}
                    early={early}
                    write={write}
                  />
                </>
              }
            />
          );
        };
        const { enquiries } = today.figures;
        return (
          <>
            <Sentence data={today} why={why !== ''} onWhy={() => setWhy(why === '' ? 'yesterday' : '')} />
            {why !== '' && <WhyChanged site={site} notes={today.notes} against={why} onAgainst={setWhy} onClose={() => setWhy('')} />}
            <Row>
              {figures.map(({ id, better }) => figureOf(id, better, today.figures[id]))}
              {enquiries && (
                <KeyFigure
                  name={t('figure.enquiries')}
                  value={format.number(enquiries.now ?? 0)}
                  below={
                    <>
                      <small>
                        {t('yesterday')} {format.number(enquiries.yesterday ?? 0)}
                      </small>
                      <small>
                        {t('lastWeekday', { weekday: weekdayOf(today.day, format.locale) })} {format.number(enquiries.lastWeek ?? 0)}
                      </small>
                    </>
                  }
                />
              )}
            </Row>
            <DayChart data={today} />
          </>
        );
      }}
    </CardSection>
  );
};
