import { Box, Button, Link, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filing } from '@contract/filings/schemas';
import { numberKindOf } from '@contract/filings/terms';
import { defineUndo } from '@/features/notices/undoListeners';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { Caret } from '@/ui/Caret';
import { CopyButton } from '@/ui/CopyButton';
import { Tag } from '@/ui/Tag';
import { Checklist } from './Checklist';
import { filingsApi, useFilingEventsQuery, useRemoveFilingMutation } from './filingsApi';
import { footerTones, nameOf, registerPages, stateName, stateTones } from './filingStatus';

const notifyRemoved = defineUndo<{ readonly siteId: string; readonly id: string }>('filings/removalUndone', (dispatch, filing) =>
  dispatch(filingsApi.endpoints.restoreFiling.initiate(filing)),
);

/** What happened to a filing, the newest first. */
function Timeline({ siteId, row, timeZone }: { readonly siteId: string; readonly row: Filing; readonly timeZone: string }): ReactElement | null {
  const { t } = useTranslation('filings');
  const format = useFormat();
  const { data } = useFilingEventsQuery({ siteId, id: row.id, size: 50 });
  if (data === undefined) return null;
  return (
    <Box component="ol" aria-label={t('history')} sx={{ m: 0, pl: 2, borderLeft: 1, borderColor: 'divider', listStyle: 'none' }}>
      {data.rows.map(({ id, to, note, at, by }) => (
        <Box component="li" key={id} sx={{ pb: 1, overflowWrap: 'anywhere' }}>
          <Typography variant="body2">{t(`state.${stateName(to, row.kind)}`)}</Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {[format.dateTime(at, { timeZone }), by ?? t('byNobody')].join(' · ')}
          </Typography>
          {note !== '' && (
            <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
              {note}
            </Typography>
          )}
        </Box>
      ))}
    </Box>
  );
}

/** Facts of a filing, as pairs of a term and its value. */
function Facts({ row }: { readonly row: Filing }): ReactElement {
  const { t } = useTranslation('filings');
  const facts: readonly (readonly [string, string])[] = [
    [t('form.subject'), row.subjectName],
    [t('form.serviceName'), row.serviceName],
    [t('form.domains'), (row.domains ?? []).join(' ')],
    [t('form.homeUrl'), row.homeUrl ?? ''],
    [t('form.openedOn'), row.openedOn ?? ''],
    [t('form.approvedOn'), row.approvedOn ?? ''],
    [t('form.comparedOn'), row.comparedOn ?? ''],
    [t('form.domainExpires'), row.domainExpires ?? ''],
  ];
  return (
    <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'max-content 1fr' }, columnGap: 2, rowGap: { xs: 0, sm: 0.5 } }}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {name}
            </Typography>
            <Typography component="dd" variant="body2" sx={{ m: 0, mb: { xs: 1, sm: 0 }, overflowWrap: 'anywhere' }}>
              {value}
            </Typography>
          </Box>
        ))}
    </Box>
  );
}

type Actions = { readonly onEdit: () => void; readonly onMove: () => void; readonly onPeople: () => void };

function Details({ siteId, row, timeZone, mayChange, ...actions }: Omit<Props, 'isOpen' | 'onToggle'>): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const [remove, { isLoading }] = useRemoveFilingMutation();
  const name = nameOf(row, t(`kind.${row.kind}`));
  const removeNow = async (): Promise<void> => {
    const { error } = await remove({ siteId, id: row.id });
    if (error !== undefined) notifyFailure(dispatch, error);
    else notifyRemoved(dispatch, { key: 'filings:done.removed', values: { name } }, { siteId, id: row.id });
  };
  const register = registerPages[numberKindOf[row.kind] === 'mps' ? 'mps' : 'icp'];
  return (
    <Box sx={{ pb: 2, display: 'grid', gap: 2 }}>
      <Facts row={row} />
      {mayChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', ml: -1.5 }}>
          {row.next.length > 0 && <Button onClick={actions.onMove}>{t('move.open')}</Button>}
          <Button onClick={actions.onEdit}>{t('form.open')}</Button>
          <Button onClick={actions.onPeople}>{t('people.open')}</Button>
          <Button color="error" disabled={isLoading} onClick={() => void removeNow()}>
            {t('remove')}
          </Button>
          {row.number !== '' && <CopyButton text={row.displayed}>{t('copyNumber')}</CopyButton>}
          <Link href={register} target="_blank" rel="noreferrer" variant="body2">
            {t('register')}
          </Link>
        </Box>
      )}
      {mayChange && <Checklist siteId={siteId} id={row.id} />}
      <Timeline siteId={siteId} row={row} timeZone={timeZone} />
    </Box>
  );
}

type Props = Actions & {
  readonly siteId: string;
  readonly row: Filing;
  readonly timeZone: string;
  readonly mayChange: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** One filing: its number, its state, and what the pages show of it; the rest opens below. */
export function FilingItem({ isOpen, onToggle, ...props }: Props): ReactElement {
  const { row } = props;
  const { t } = useTranslation('filings');
  const detailsId = useId();
  const kind = t(`kind.${row.kind}`);
  const name = nameOf(row, kind);
  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, columnGap: 3, py: 1.5 }}>
        <Box sx={{ flex: { xs: '1 1 100%', md: '1 1 260px' }, minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="body1" component="h3" sx={{ fontWeight: 500 }}>
            {name}
          </Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {[...(name === kind ? [] : [kind]), ...(row.domains ?? [])].join(' · ')}
          </Typography>
          {row.warnings.map((warning) => (
            <Typography key={warning} variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {t(`warning.${warning}`)}
            </Typography>
          ))}
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Tag tone={stateTones[row.state]}>{t(`state.${stateName(row.state, row.kind)}`)}</Tag>
          {row.footer.state !== 'unchecked' && <Tag tone={footerTones[row.footer.state]}>{t(`footer.${row.footer.state}`)}</Tag>}
        </Box>
        <Button
          variant="text"
          sx={{ ml: { xs: 'auto', md: 0 } }}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={t(isOpen ? 'details.hideNamed' : 'details.showNamed', { name })}
          onClick={onToggle}
          endIcon={<Caret to={isOpen ? 'up' : 'down'} />}
        >
          {t('details.show')}
        </Button>
      </Box>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <Details {...props} />}
      </div>
    </Box>
  );
}
