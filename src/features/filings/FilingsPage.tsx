import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import type { Filing, FilingList } from '@contract/filings/schemas';
import { may, mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import { flag, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useToday } from '@/lib/useToday';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { PageHeader } from '@/ui/PageHeader';
import { Section } from '@/ui/Section';
import { FilingDialog } from './FilingDialog';
import { FilingItem } from './FilingItem';
import { DomainStrip, FooterCheck, NextSteps, Snippet } from './FilingSections';
import { useFilingsQuery } from './filingsApi';
import { MoveDialog } from './MoveDialog';
import { PasteDialog } from './PasteDialog';
import { PeopleDialog } from './PeopleDialog';
import { Subjects } from './Subjects';

const address = { open: text('', 36), new: flag(), paste: flag() };
type OpenDialog = { readonly dialog: 'edit' | 'move' | 'people'; readonly id: string };

/** The filings of a list, with their domains as people write them. */
function readableRows({ rows, domains }: FilingList): readonly Filing[] {
  const names = new Map(domains.map(({ domain, unicode }) => [domain, unicode]));
  return rows.map((row) => ({ ...row, domains: (row.domains ?? []).map((domain) => names.get(domain) ?? domain) }));
}

type DialogProps = { readonly siteId: string; readonly openDialog: OpenDialog; readonly row: Filing; readonly today: string; readonly onClose: () => void };

function RowDialog({ siteId, openDialog, row, today, onClose }: DialogProps): ReactElement {
  if (openDialog.dialog === 'edit') return <FilingDialog siteId={siteId} row={row} domains={[]} onClose={onClose} />;
  if (openDialog.dialog === 'move') return <MoveDialog siteId={siteId} row={row} today={today} onClose={onClose} />;
  return <PeopleDialog siteId={siteId} row={row} onClose={onClose} />;
}

/** Filings of a site. The open one has its own address (`?open=`), and so have the dialogs that add some (`?new=1`, `?paste=1`). */
function Filings({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('filings');
  const [{ open, new: adding, paste }, change] = useSearchState(address);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const today = useToday(site.timeZone);
  const session = useAppSelector(selectSession);
  const result = useFilingsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const { refetch, data: list } = result;
  useLive([`filings:${site.id}`], (signal) => {
    if (signal.type === 'resync' || (signal.type === 'filings' && signal.siteId === site.id)) void refetch();
  });
  const mayChange = mayOnSite(site.role, 'site.compose');
  const domains = list?.domains.map(({ unicode }) => unicode) ?? [];
  const row = (list === undefined ? [] : readableRows(list)).find(({ id }) => id === openDialog?.id);
  const actions = mayChange && (
    <>
      <Button onClick={() => change({ paste: true })}>{t('paste.open')}</Button>
      <Button variant="contained" onClick={() => change({ new: true })}>
        {t('form.add')}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} actions={(list?.rows.length ?? 0) > 0 && actions} />
      <ListContent
        result={result}
        rowsOf={readableRows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="rows" title={t('empty')} action={actions}>
            {t('emptyText')}
          </EmptyState>
        }
      >
        {(rows, data) => (
          <>
            <DomainStrip domains={data.domains} />
            <NextSteps rows={data.rows} today={today} />
            <Section title={t('list')}>
              <RowList label={t('list')}>
                {rows.map((one) => (
                  <FilingItem
                    key={one.id}
                    siteId={site.id}
                    row={one}
                    timeZone={site.timeZone}
                    mayChange={mayChange}
                    isOpen={one.id === open}
                    onToggle={() => change({ open: one.id === open ? '' : one.id }, 'replace')}
                    onEdit={() => setOpenDialog({ dialog: 'edit', id: one.id })}
                    onMove={() => setOpenDialog({ dialog: 'move', id: one.id })}
                    onPeople={() => setOpenDialog({ dialog: 'people', id: one.id })}
                  />
                ))}
              </RowList>
            </Section>
            <FooterCheck siteId={site.id} rows={data.rows} mayChange={mayChange} />
            <Snippet siteId={site.id} isBuilt={site.purpose === 'built'} />
          </>
        )}
      </ListContent>
      {session !== null && may(session.role, 'site.seeAll') && (
        <Box sx={{ mt: 4 }}>
          <Subjects />
        </Box>
      )}
      <Typography variant="caption" component="p" sx={{ mt: 3, color: 'text.secondary' }}>
        {t('disclaimer')}
      </Typography>
      {adding && mayChange && list !== undefined && (
        <FilingDialog siteId={site.id} row={null} domains={domains} onClose={() => change({ new: false }, 'replace')} />
      )}
      {paste && mayChange && list !== undefined && <PasteDialog siteId={site.id} domains={domains} onClose={() => change({ paste: false }, 'replace')} />}
      {openDialog !== null && row !== undefined && (
        <RowDialog siteId={site.id} openDialog={openDialog} row={row} today={today} onClose={() => setOpenDialog(null)} />
      )}
    </>
  );
}

export function Component(): ReactElement | null {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Filings key={site.id} site={site} />;
}
