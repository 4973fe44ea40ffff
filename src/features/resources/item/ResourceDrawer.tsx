import { Alert, Button, Drawer } from '@mui/material';
import { useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import { isTableFile } from '@contract/resources/previews';
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
import { ReplaceEverywhere } from '../library/ReplaceEverywhere';
import { ReplaceFile } from '../library/ReplaceFile';
import { UsedBy } from '../library/UsedBy';
import { Versions } from '../library/Versions';
import { OpenAsTable } from '../media/OpenAsTable';
import { VideoPart } from '../media/VideoPart';
import { contentAddress, useResourceQuery } from '../resourcesApi';
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

type ItemProps = Omit<Props, 'id'> & { readonly resource: Resource };

/** Download, replacement and removal of the open resource. */
function ItemActions({ site, resource, mayWrite, actions, onClose, onReplace }: ItemProps & { readonly onReplace: (file: File) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const { id, kind, name, deletedAt } = resource;
  const content = contentAddress(site.id, resource);
  const replacement = useFileDrop(([file]) => file && onReplace(file));
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
          <Button color="error" onClick={() => void andClose(actions.remove([id]))}>
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

/** Everything about one resource, once it has been loaded. A file that is dropped on it replaces its content. */
function Item({ onDirty, ...props }: ItemProps & { readonly onDirty: (dirty: boolean) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const { site, resource, mayWrite } = props;
  const [file, setFile] = useState<File | null>(null);
  const [replacing, setReplacing] = useState(false);
  const mayChange = mayWrite && resource.deletedAt === null;
  const drop = useFileDrop(([dropped]) => dropped && setFile(dropped));
  return (
    <div className="resource-item" {...(mayChange ? drop.place : {})} {...(drop.over ? { 'data-over': '' } : {})}>
      {/* Where a picture can be edited, the editor is its preview. */}
      {resource.kind === 'video' && !isBlocked(resource) ? (
        <VideoPart site={site} resource={resource} mayWrite={mayChange} />
      ) : (
        !(mayChange && resource.kind === 'image' && !isBlocked(resource)) && <Preview siteId={site.id} resource={resource} />
      )}
      <ResourceForm key={resource.id} site={site} resource={resource} mayWrite={mayChange} onDirty={onDirty}>
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
        <ItemActions {...props} onReplace={setFile} />
        {resource.deletedAt === null && !isBlocked(resource) && isTableFile(resource) && mayOnSite(site.role, 'tables.design') && (
          <OpenAsTable siteId={site.id} resource={resource} />
        )}
        {resource.deletedAt === null && !isBlocked(resource) && <ResourceAddresses site={site} resource={resource} mayWrite={mayWrite} />}
      </ResourceForm>
      <UsedBy siteId={site.id} id={resource.id} actions={mayChange && <Button onClick={() => setReplacing(true)}>{t('replace.open')}</Button>} />
      <Versions siteId={site.id} resource={resource} mayWrite={mayChange} />
      <ResourceFacts resource={resource} />
      {file && <ReplaceFile siteId={site.id} resource={resource} file={file} onClose={() => setFile(null)} />}
      {replacing && <ReplaceEverywhere siteId={site.id} resource={resource} onClose={() => setReplacing(false)} />}
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
            <Item site={site} resource={resource} mayWrite={mayWrite} actions={actions} onClose={onClose} onDirty={(now) => (dirty.current = now)} />
          )}
        </ResultState>
      </div>
    </Drawer>
  );
}
