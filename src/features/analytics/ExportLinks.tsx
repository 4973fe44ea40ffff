import type { ExportQuery } from '@contract/analytics/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { exportAddress } from './analyticsApi';

/** Links to files with the table in its current order and columns, all pages included; absent without the permission to export. */
export const ExportLinks = ({ site, query }: { site: Site; query: Omit<ExportQuery, 'format'> }): ReactElement | null => {
  const { t } = useTranslation('analytics');
  if (!mayOnSite(site.role, 'analytics.export')) return null;
  return (
    <>
      <Button size="small" component="a" href={exportAddress(site.id, query, 'csv')} download>
        {t('controls.csv')}
      </Button>
      <Button size="small" component="a" href={exportAddress(site.id, query, 'json')} download>
        {t('controls.json')}
      </Button>
    </>
  );
};
