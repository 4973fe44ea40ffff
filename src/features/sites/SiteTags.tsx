import PushPin from '@mui/icons-material/PushPinOutlined';
import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { Tag } from '@/ui/Tag';

/** Tags of a site: pinned, demo, external, archived. */
export function SiteTags({ site }: { readonly site: Site }): ReactElement | null {
  const { t } = useTranslation('sites');
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, flex: 'none' }}>
      {site.demo && <Tag tone="info">{t('tag.demo')}</Tag>}
      {site.purpose === 'external' && !site.demo && <Tag>{t('tag.external')}</Tag>}
      {site.state === 'archived' && <Tag>{t('tag.archived')}</Tag>}
      {site.pinned && <PushPin titleAccess={t('tag.pinned')} fontSize="small" sx={{ color: 'text.secondary' }} />}
    </Box>
  );
}
