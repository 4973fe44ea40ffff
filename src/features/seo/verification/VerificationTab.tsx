import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useLive } from '@/lib/useLive';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { Section } from '@/ui/Section';
import { AddDialog } from './AddDialog';
import { VerificationItem } from './VerificationItem';
import { useVerificationsQuery } from './verificationApi';

/** Files and meta elements by which services recognise who controls the site. They act at once, before a release and without one. */
export default function VerificationTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('seo');
  const [adding, setAdding] = useState(false);
  const result = useVerificationsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const { refetch } = result;
  useLive([`seo:${site.id}`], () => void refetch());
  const mayChange = mayOnSite(site.role, 'site.compose') && site.purpose === 'built';
  const add = mayChange && (
    <Button variant="contained" onClick={() => setAdding(true)}>
      {t('verification.add')}
    </Button>
  );
  return (
    <Section title={t('tabs.verification')} note={t('verification.lead')} actions={(result.data?.rows.length ?? 0) > 0 && add}>
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="rows" title={t('verification.empty')} action={add}>
            {t('verification.emptyText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={t('tabs.verification')}>
            {rows.map((row) => (
              <VerificationItem key={row.id} siteId={site.id} row={row} mayChange={mayChange} />
            ))}
          </RowList>
        )}
      </ListContent>
      {adding && <AddDialog siteId={site.id} onClose={() => setAdding(false)} />}
    </Section>
  );
}
