import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { hostOf } from '@/lib/hostOf';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { notifyRestored } from './siteDeletion';
import { useBinQuery } from './sitePagesApi';
import { useSetSiteStateMutation } from './sitesApi';

/** Days for which a deleted site can be restored (contract `bin`). */
const keptDays = 30;
const dayMs = 86_400_000;

/** Days left, rounded up; 1 means that it is purged within a day. */
export const daysLeft = (deletedAt: string, now: number): number => Math.max(1, Math.ceil((Date.parse(deletedAt) + keptDays * dayMs - now) / dayMs));

function BinRow({ site, now }: { readonly site: Site; readonly now: number }): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [setState, { isLoading }] = useSetSiteStateMutation();
  const deletedAt = site.deletedAt ?? site.createdAt;
  const left = daysLeft(deletedAt, now);
  const restore = async () => {
    const { error } = await setState({ siteId: site.id, body: { to: 'open' } });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else notifyRestored(dispatch, site);
  };
  return (
    <Box
      component="li"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5, py: 1, borderBottom: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography noWrap title={site.name} sx={{ fontWeight: 500 }}>
          {site.name}
        </Typography>
        <Typography variant="caption" component="div" noWrap sx={{ color: 'text.secondary' }}>
          {hostOf(site)}
        </Typography>
      </Box>
      <Typography variant="caption" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }} title={format.dateTime(deletedAt)}>
        {t('bin.deletedAt', { date: format.date(deletedAt, { weekday: false }) })}
      </Typography>
      <Typography variant="body2" sx={{ minWidth: 96, fontVariantNumeric: 'tabular-nums', color: left <= 3 ? 'warning.main' : 'text.primary' }}>
        {left === 1 ? t('bin.today') : t('bin.days', { n: left })}
      </Typography>
      {mayOnSite(site.role, 'site.archive') && (
        <Button variant="outlined" disabled={isLoading} onClick={() => void restore()} aria-label={t('bin.restoreNamed', { name: site.name })}>
          {t('bin.restore')}
        </Button>
      )}
    </Box>
  );
}

/** Deleted sites and the time left to restore each. */
export default function Bin(): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const [now] = useState(Date.now);
  const result = useBinQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <ListContent result={result} rowsOf={(rows) => rows} skeletonRows={3} empty={<EmptyState title={t('empty.bin')}>{t('empty.binText')}</EmptyState>}>
      {(sites) => (
        <Box component="ul" aria-label={t('sites:show.bin')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {sites.map((site) => (
            <BinRow key={site.id} site={site} now={now} />
          ))}
        </Box>
      )}
    </ListContent>
  );
}
