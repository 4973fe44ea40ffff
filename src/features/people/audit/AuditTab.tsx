import { Box, Button, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { auditActions, auditResults } from '@contract/audit/schemas';
import { selectUser } from '@/features/account/userSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { addDays, isDay } from '@/lib/days';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useToday } from '@/lib/useToday';
import { useTyped } from '@/lib/useTyped';
import { isFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { DateRangeField } from '@/ui/DateRangeField';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { RowsSkeleton } from '@/ui/skeletons';
import { auditFile, useAuditInfiniteQuery, useEverybodyQuery } from '../peopleApi';
import type { AuditFilters } from '../peopleApi';
import { AuditLine } from './AuditLine';

const groups = [...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.'))))] as readonly Group[];
type Group = (typeof auditActions)[number] extends infer A ? (A extends `${infer G}.${string}` ? G : never) : never;
/** Retention of the log in days. */
const kept = 400;
const ranges = ['d7', 'd30', 'd90', 'd400'] as const;
const length = { d7: 7, d30: 30, d90: 90, d400: kept } as const;
const address = {
  range: oneOf([...ranges, 'custom'], 'd30'),
  from: text('', 10),
  to: text('', 10),
  action: text('', 40),
  result: oneOf(['all', ...auditResults], 'all'),
  site: text('', 20),
  actor: text('', 36),
  q: text('', 100),
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Who did what, when and from where, latest first. The filters are in the address and apply to the exports. */
export default function AuditTab(): ReactElement {
  const { t } = useTranslation('audit');
  const zone = useAppSelector(selectUser)?.timeZone ?? 'Asia/Shanghai';
  const sites = useAppSelector(selectSites);
  const today = useToday(zone);
  const [state, change] = useSearchState(address);
  const [q, setQ] = useTyped(state.q, (next) => change({ q: next }, 'replace'));
  const custom = state.range === 'custom' && isDay(state.from) && isDay(state.to) && state.from <= state.to;
  const choice = state.range === 'custom' ? 'd30' : state.range;
  const days = custom ? { from: state.from, to: state.to } : { from: addDays(today, 1 - length[choice]), to: today };
  const action = groups.find((one) => one === state.action) ?? auditActions.find((one) => one === state.action);
  const actor = uuid.test(state.actor) ? state.actor : '';
  const filters: AuditFilters = {
    ...days,
    ...(action !== undefined && { action }),
    ...(state.result !== 'all' && { result: state.result }),
    ...(state.site !== '' && { siteId: state.site }),
    ...(actor !== '' && { actor }),
    ...(state.q !== '' && { q: state.q }),
  };
  const answer = useAuditInfiniteQuery(filters, { refetchOnMountOrArgChange: true });
  const { data: everybody } = useEverybodyQuery();
  const people = useMemo(() => new Map(everybody?.map((person) => [person.id, person.displayName])), [everybody]);
  const personName = (id: string | null) => (id === null ? undefined : people.get(id));
  const filtered = action !== undefined || state.result !== 'all' || state.site !== '' || actor !== '' || state.q !== '';
  const clear = () => {
    setQ('');
    change({ q: '', action: '', result: 'all', site: '', actor: '' });
  };
  const choose = (label: string, value: string, options: readonly (readonly [string, string])[], put: (value: string) => void) => (
    <NativeSelect
      value={value}
      onChange={(event) => put(event.target.value)}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': label }}
      sx={{ height: 32, fontSize: 13, maxWidth: { xs: 'none', sm: 180 }, flex: { xs: '1 1 40%', sm: 'none' } }}
    >
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
  const actorName = (): string =>
    personName(actor) ?? answer.data?.pages.flatMap((page) => page.rows).find((row) => row.actor.id === actor)?.actor.name ?? actor.slice(0, 8);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
        <DateRangeField
          label={t('filter.days')}
          chosen={custom ? 'custom' : choice}
          value={days}
          choices={ranges.map((id) => ({ id, name: t(`range.${id}`), from: addDays(today, 1 - length[id]), to: today }))}
          min={addDays(today, 1 - kept)}
          max={today}
          onChoose={(id) => change({ range: ranges.find((one) => one === id) ?? 'd30', from: '', to: '' })}
          onRange={({ from, to }) => change({ range: 'custom', from, to })}
        >
          {t('range.zone', { zone })}
        </DateRangeField>
        {choose(
          t('filter.group'),
          action ?? '',
          [
            ['', t('filter.anyGroup')],
            ...groups.map((one) => [one, t(`group.${one}`)] as const),
            ...(action !== undefined && action.includes('.') ? [[action, action] as const] : []),
          ],
          (next) => change({ action: next }),
        )}
        {choose(t('filter.result'), state.result, [['all', t('filter.anyResult')], ...auditResults.map((one) => [one, t(`result.${one}`)] as const)], (next) =>
          change({ result: auditResults.find((one) => one === next) ?? 'all' }),
        )}
        {choose(t('filter.site'), state.site, [['', t('filter.anySite')], ...sites.map((one) => [one.id, one.name] as const)], (next) =>
          change({ site: next }),
        )}
        <OutlinedInput
          size="small"
          type="search"
          value={q}
          placeholder={t('filter.searchPlaceholder')}
          onChange={(event) => setQ(event.target.value)}
          slotProps={{ input: { 'aria-label': t('filter.search'), maxLength: 100 } }}
          sx={{ height: 32, width: { xs: 1, sm: 220 } }}
        />
        {actor !== '' && (
          <Button variant="outlined" onClick={() => change({ actor: '' })} endIcon={<span aria-hidden="true">×</span>}>
            {t('filter.actorOnly', { name: actorName() })}
          </Button>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, ml: { md: 'auto' } }}>
          <Button onClick={() => void answer.refetch()} disabled={answer.isFetching}>
            {t('filter.refresh')}
          </Button>
          <Button component="a" href={auditFile(filters, 'csv')} download>
            {t('csv')}
          </Button>
          <Button component="a" href={auditFile(filters, 'json')} download>
            {t('json')}
          </Button>
        </Box>
      </Box>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={10} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(data) => {
          const rows = data.pages.flatMap((page) => page.rows);
          if (rows.length === 0)
            return (
              <EmptyState
                kind={filtered ? 'noMatch' : 'none'}
                title={t(filtered ? 'noMatch' : 'empty')}
                action={
                  filtered && (
                    <Button variant="outlined" onClick={clear}>
                      {t('filter.clear')}
                    </Button>
                  )
                }
              >
                {!filtered && t('emptyText')}
              </EmptyState>
            );
          return (
            <>
              <Box component="ul" aria-label={t('label')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
                {rows.map((entry) => (
                  <AuditLine key={entry.id} entry={entry} personName={personName} onActor={(id) => change({ actor: id })} />
                ))}
              </Box>
              <Box sx={{ mt: 2, textAlign: 'center' }}>
                {answer.hasNextPage ? (
                  <Button variant="outlined" aria-busy={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
                    {t(answer.isFetchingNextPage ? 'loadingOlder' : 'older')}
                  </Button>
                ) : (
                  <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                    {t('end')}
                  </Typography>
                )}
              </Box>
            </>
          );
        }}
      </AnswerState>
      <PlaceCredit />
    </>
  );
}
