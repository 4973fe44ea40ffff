import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { notifyDeleted } from './siteDeletion';
import { useDeleteSiteMutation } from './sitesApi';

/** Into the bin, after its name was typed: 30 days can be taken back, what follows cannot. */
export default function DeleteDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const dispatch = useAppDispatch();
  const messageOf = useFailureMessage();
  const [remove] = useDeleteSiteMutation();

  const confirm = async (): Promise<string | null> => {
    const { error } = await remove({ siteId: site.id, body: { confirm: site.name } });
    if (isFailure(error)) return messageOf(error);
    notifyDeleted(dispatch, site);
    return null;
  };

  return (
    <TypedConfirm
      open
      title={t('delete.title', { name: site.name })}
      phrase={site.name}
      confirmLabel={t('delete.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('delete.bin')}</p>
      <p>{t('delete.then')}</p>
    </TypedConfirm>
  );
}
