import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import type { Hostnames } from '@contract/hostnames/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { flag, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { PageHeader } from '@/ui/PageHeader';
import { AddDialog } from './AddDialog';
import { HostnameItem } from './HostnameItem';
import { useHostnamesQuery } from './hostnamesApi';

const address = { open: text('', 36), new: flag() };

/** The address that the site has without any hostname, and what has to be set before hostnames can be connected. */
function SystemAddress({ data }: { readonly data: Hostnames }): ReactElement | null {
  const { t } = useTranslation('hostnames');
  if (data.system === null) return null;
  const primary = data.rows.find(({ role }) => role === 'primary');
  return (
    <Box sx={{ mb: 3 }}>
      <Typography variant="body2" component="div" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {t('system.label')}
        </Box>
        <span>{data.system.url}</span>
        <CopyButton text={data.system.url} label={t('system.copy')} />
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {primary ? t('system.redirects', { host: primary.unicode }) : t('system.serves')}
        </Box>
      </Typography>
      {!data.ready && (
        <Typography role="note" variant="body2" sx={{ mt: 1.5, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
          {t('notReady')}
        </Typography>
      )}
    </Box>
  );
}

/** Hostnames of a site. The open one has its own address (`?open=`), and so has the dialog that adds one (`?new=1`). */
function List({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('hostnames');
  const [{ open, new: adding }, change] = useSearchState(address);
  const result = useHostnamesQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const { refetch } = result;
  const [now] = useState(() => Date.now());
  useLive([`hostnames:${site.id}`], (signal) => {
    if (signal.type === 'resync' || (signal.type === 'hostnames' && signal.siteId === site.id)) void refetch();
  });
  const mayChange = mayOnSite(site.role, 'site.compose');
  const add = mayChange && (
    <Button variant="contained" onClick={() => change({ new: true })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} actions={(result.data?.rows.length ?? 0) > 0 && add} />
      {result.data && <SystemAddress data={result.data} />}
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="rows" title={t('empty')} action={add}>
            {t('emptyText')}
          </EmptyState>
        }
      >
        {(rows, data) => (
          <RowList label={t('title')}>
            {rows.map((row) => (
              <HostnameItem
                key={row.id}
                siteId={site.id}
                row={row}
                data={data}
                now={now}
                mayChange={mayChange}
                isOpen={row.id === open || (open === '' && rows.length === 1)}
                onToggle={(isOpen) => change({ open: isOpen ? row.id : rows.length === 1 ? 'none' : '' }, 'replace')}
              />
            ))}
          </RowList>
        )}
      </ListContent>
      {adding && mayChange && (
        <AddDialog siteId={site.id} onClose={() => change({ new: false }, 'replace')} onAdded={(id) => change({ new: false, open: id }, 'replace')} />
      )}
    </>
  );
}

export function Component(): ReactElement | null {
  const { t } = useTranslation('hostnames');
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  if (site === undefined) return null;
  if (site.purpose === 'built') return <List key={site.id} site={site} />;
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState ghost="rows" title={t('elsewhere')}>
        {t('elsewhereText')}
      </EmptyState>
    </>
  );
}
