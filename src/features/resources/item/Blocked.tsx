import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { Icon } from '@/ui/Icon';
import { useResourceScanQuery } from '../storage/storageApi';

/** Why a file is delivered to nobody, in place of its preview. */
export function Blocked({ siteId, resource }: { readonly siteId: string; readonly resource: Resource }): ReactElement {
  const { t } = useTranslation('resources');
  const { data } = useResourceScanQuery({ siteId, id: resource.id });
  return (
    <div className="resource-preview resource-blocked" data-icon="" role="note">
      <Icon name="warning" size={48} />
      <b>{t('blocked.title')}</b>
      <span>{resource.scan === 'too_large' ? t('blocked.tooLarge') : t('blocked.infected')}</span>
      {data?.threat && <span>{t('blocked.threat', { name: data.threat })}</span>}
    </div>
  );
}
