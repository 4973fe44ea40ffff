import { Alert, Button, Drawer } from '@mui/material';
import { useId, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { isFailure } from '@/lib/failure';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFileDrop } from '@/ui/useFileDrop';
import { acceptOf } from '../kinds';
import { contentAddress, useResourceQuery } from '../resourcesApi';
import { useUploadQueue } from '../uploads/uploads';
import type { ResourceActions } from '../useResourceActions';
import { Preview } from './Preview';
import { ResourceAddresses } from './ResourceAddresses';
import { ResourceFacts } from './ResourceFacts';
import { ResourceForm } from './ResourceForm';

type Props = {
  readonly site: Site;
  readonly id: string;
  readonly mayWrite: boolean;
  readonly actions: ResourceActions;
  readonly onClose: () => void;
};

/** Download, replacement and removal of the open resource. */
function ItemActions({ site, resource, mayWrite, actions, onClose }: Omit<Props, 'id'> & { readonly resource: Resource }): ReactElement {
  const { t } = useTranslation('resources');
  const queue = useUploadQueue();
  const { id, kind, name, uses, deletedAt } = resource;
  const content = contentAddress(site.id, resource);
  // It keeps its name: only the content is replaced.
  const replacement = useFileDrop(([file]) => file && queue.add(site.id, [{ file, name, folderId: resource.folderId, replaces: id }]));
  const andClose = async (done: Promise<boolean>): Promise<void> => {
    if (await done) onClose();
  };
  return (
    <div className="resource-actions">
      {!isBlocked(resource) && (
        <Button component="a" href={content} download={name} variant="outlined">
          {t('item.download')}
        </Button>
      )}
      {mayWrite && deletedAt === null && (
        <>
          <Button onClick={replacement.choose}>{t('item.replace')}</Button>
          <input {...replacement.input} aria-label={t('item.replace')} {...(acceptOf[kind] === '' ? {} : { accept: acceptOf[kind] })} />
          <Button color="error" onClick={() => void andClose(actions.remove([id], uses))}>
            {t('remove.do')}
          </Button>
        </>
      )}
      {mayWrite && deletedAt !== null && (
        <>
          <Button onClick={() => void andClose(actions.restore([id]))}>{t('bin.restore')}</Button>
          <Button color="error" onClick={() => void andClose(actions.purge([id]))}>
            {t('purge.do')}
          </Button>
        </>
      )}
    </div>
  );
}

/** One resource in a drawer with its own address (`?item=`): preview, facts, texts and actions. Closing it asks before unsaved changes are discarded. */
export default function ResourceDrawer({ site, id, mayWrite, actions, onClose }: Props): ReactElement {
  const { t } = useTranslation('resources');
  const titleId = useId();
  const confirm = useConfirm();
  const dirty = useRef(false);
  const result = useResourceQuery({ siteId: site.id, id }, { refetchOnMountOrArgChange: true });
  // Where the focal point can be picked, its picture is the preview.
  const mayChange = ({ deletedAt }: Resource): boolean => mayWrite && deletedAt === null;
  const close = async (): Promise<void> => {
    const question = { title: t('item.discardTitle'), body: t('item.discardText'), confirm: t('item.discard'), danger: true };
    if (!dirty.current || (await confirm(question))) onClose();
  };
  return (
    <Drawer
      anchor="right"
      open
      onClose={() => void close()}
      sx={{ '& [tabindex="-1"]:focus-visible': { outline: 'none' } }}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: { xs: '100%', sm: 560 } } } }}
    >
      <header className="resource-drawer-head">
        <h2 id={titleId}>{result.currentData?.name ?? t('item.heading')}</h2>
        <IconButton label={t('item.close')} onClick={() => void close()}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="resource-drawer">
        <ResultState
          result={result}
          skeleton={<RowsSkeleton rows={6} />}
          failed={(error, retry, retrying) =>
            isFailure(error) && error.status === 404 ? (
              <p>{t('item.missing')}</p>
            ) : (
              <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />
            )
          }
        >
          {(resource) => (
            <>
              {!(mayChange(resource) && resource.kind === 'image' && !isBlocked(resource)) && <Preview siteId={site.id} resource={resource} />}
              {resource.hasGps && (
                <Alert severity="warning" variant="outlined">
                  {t('item.gpsText')}
                </Alert>
              )}
              {resource.deletedAt !== null && (
                <Alert severity="info" variant="outlined">
                  {t('bin.itemNote')}
                </Alert>
              )}
              <ItemActions site={site} resource={resource} mayWrite={mayWrite} actions={actions} onClose={onClose} />
              {resource.deletedAt === null && !isBlocked(resource) && <ResourceAddresses site={site} resource={resource} mayWrite={mayWrite} />}
              <ResourceForm key={resource.id} site={site} resource={resource} mayWrite={mayChange(resource)} onDirty={(now) => (dirty.current = now)} />
              <ResourceFacts resource={resource} />
            </>
          )}
        </ResultState>
      </div>
    </Drawer>
  );
}
