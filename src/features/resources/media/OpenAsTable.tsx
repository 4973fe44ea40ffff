import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { Resource } from '@contract/resources/schemas';
import { isFailure } from '@/lib/failure';
import { href } from '@/routes/paths';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { useImportResourceMutation } from './mediaApi';

/** Begins an import of the file into a new content table, and shows it. */
export function OpenAsTable({ siteId, resource }: { readonly siteId: string; readonly resource: Resource }): ReactElement {
  const { t } = useTranslation('resources');
  const navigate = useNavigate();
  const [start, { error, isLoading }] = useImportResourceMutation();
  const open = async (): Promise<void> => {
    const { data } = await start({ siteId, body: { resource: resource.id } });
    if (data) await navigate(`${href('site.table.records', { siteId })}?import=${data.id}`);
  };
  return (
    <>
      <PlainButton data-quiet="" aria-busy={isLoading} onClick={() => void open()}>
        {t('media.openAsTable')}
      </PlainButton>
      {isFailure(error) && <ErrorPanel failure={error} />}
    </>
  );
}
