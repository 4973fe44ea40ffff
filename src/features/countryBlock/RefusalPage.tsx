import { Alert, Box, Link } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { useLivePagesQuery } from '@/features/seo/seoApi';
import { ComboField } from '@/ui/form/ComboField';
import type { RuleControl } from './RuleFields';

/** Which page refused visitors get: the program's or one of the site. Warns if that one is not published. */
export function RefusalPage({ control, site }: { readonly control: RuleControl; readonly site: Site }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const path = useWatch({ control, name: 'rule.page' }) ?? '';
  const { data } = useLivePagesQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const origin = (site.url ?? site.systemHost ?? '').replace(/\/$/, '');
  const rows = data?.rows ?? [];
  const chosen = rows.find((row) => row.path === path);
  return (
    <>
      <ComboField
        control={control}
        name="rule.page"
        label={t('field.page')}
        help={t('field.pageHelp')}
        options={[
          { value: '', label: t('page.program') },
          ...rows.map((row) => (row.title === '' ? { value: row.path, label: row.path } : { value: row.path, label: row.title, detail: row.path })),
        ]}
      />
      {data && path !== '' && !chosen && !data.more && (
        <Alert severity="warning" variant="outlined">
          {t('page.gone', { path })}
        </Alert>
      )}
      {chosen && origin !== '' && (
        <Box>
          <Link href={`${origin}${encodeURI(chosen.address)}`} target="_blank" rel="noreferrer" variant="body2">
            {t('page.open')}
          </Link>
        </Box>
      )}
    </>
  );
}
