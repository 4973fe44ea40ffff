import { Alert, Button, Drawer } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import { isTableFile } from '@contract/resources/previews';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFileDrop } from '@/ui/useFileDrop';
import { ActionMenu } from '../ActionMenu';
import { acceptOf } from '../kinds';
import { ReplaceEverywhere } from '../library/ReplaceEverywhere';
import { ReplaceFile } from '../library/ReplaceFile';
import { UsedBy } from '../library/UsedBy';
import { Versions } from '../library/Versions';
import { OpenAsTable } from '../media/OpenAsTable';
import { VideoPart } from '../media/VideoPart';
import { downloadAddress, useResourceQuery } from '../resourcesApi';
import type { ResourceActions } from '../useResourceActions';
import { CopyMenu } from './CopyMenu';
import { ExpiringLink } from './ExpiringLink';
import { Preview } from './Preview';
import { ResourceFacts } from './ResourceFacts';
import { ResourceForm } from './ResourceForm';
import { SvgCode } from './SvgCode';

type Props = {
  readonly site: Site;
  readonly id: string;
  readonly mayWrite: boolean;
  readonly actions: ResourceActions;
  readonly onClose: () => void;
};

type ItemProps = Omit<Props, 'id'> & { readonly resource: Resource };

/** Replacement, links that expire and removal: in a menu, or for a blocked file, of which nothing else is offered, side by side. */
function ChangeActions({ site, resource, actions, onClose, onReplace }: ItemProps & { readonly onReplace: (file: File) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const { id, kind, sha256 } = resource;
  const replacement = useFileDrop(([file]) => file && onReplace(file));
  const [linking, setLinking] = useState(false);
  const remove = async (): Promise<void> => {
    if (await actions.remove([id])) onClose();
  };
  return (
    <>
      <input {...replacement.input} aria-label={t('item.replace')} {...(acceptOf[kind] === '' ? {} : { accept: acceptOf[kind] })} />
      {isBlocked(resource) ? (
        <>
          <PlainButton data-quiet="" onClick={replacement.choose}>
            {t('item.replace')}
          </PlainButton>
          <PlainButton data-quiet="" data-danger="" onClick={() => void remove()}>
            {t('remove.do')}
          </PlainButton>
        </>
      ) : (
        <ActionMenu
          label={t('moreActions')}
          actions={[
            { label: t('item.replace'), onChoose: replacement.choose },
            ...(resource.visibility === 'confidential' ? [] : [{ label: t('address.create'), onChoose: () => setLinking(true) }]),
            { label: t('remove.do'), onChoose: () => void remove(), danger: true },
          ]}
        />
      )}
      {linking && <ExpiringLink key={sha256} siteId={site.id} resource={resource} onClose={() => setLinking(false)} />}
    </>
  );
}

/** What can be done with the open resource. */
function ItemActions(props: ItemProps & { readonly onReplace: (file: File) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const { site, resource, mayWrite, actions, onClose } = props;
  const { id, name, deletedAt } = resource;
  const isUsable = deletedAt === null && !isBlocked(resource);
  const andClose = async (done: Promise<boolean>): Promise<void> => {
    if (await done) onClose();
  };
  return (
    <div className="resource-actions">
      {!isBlocked(resource) && (
        <a className="plain-button" data-quiet="" href={downloadAddress(site.id, resource)} download={name}>
          {t('item.download')}
        </a>
      )}
      {isUsable && resource.visibility === 'public' && <CopyMenu site={site} resource={resource} />}
      {isUsable && isTableFile(resource) && mayOnSite(site.role, 'tables.design') && <OpenAsTable siteId={site.id} resource={resource} />}
      {mayWrite && deletedAt === null && <ChangeActions {...props} />}
      {mayWrite && deletedAt !== null && (
        <>
          <PlainButton data-quiet="" onClick={() => void andClose(actions.restore([id]))}>
            {t('bin.restore')}
          </PlainButton>
          <PlainButton data-quiet="" data-danger="" onClick={() => void andClose(actions.purge([id]))}>
            {t('purge.do')}
          </PlainButton>
        </>
      )}
    </div>
  );
}

/** Everything about one resource, once it has been loaded. A file that is dropped on it replaces its content. */
function Item(props: ItemProps): ReactElement {
  const { t } = useTranslation('resources');
  const { site, resource, mayWrite } = props;
  const [file, setFile] = useState<File | null>(null);
  const [replacing, setReplacing] = useState(false);
  const mayChange = mayWrite && resource.deletedAt === null;
  const drop = useFileDrop(([dropped]) => dropped && setFile(dropped));
  const isPlayed = resource.kind === 'video' && !isBlocked(resource);
  const itemActions = <ItemActions {...props} onReplace={setFile} />;
  return (
    <div className="resource-item" {...(mayChange ? drop.place : {})} {...(drop.over ? { 'data-over': '' } : {})}>
      {/* Where a picture can be edited, the editor is its preview. */}
      {isPlayed ? (
        <VideoPart site={site} resource={resource} mayWrite={mayChange}>
          {itemActions}
        </VideoPart>
      ) : (
        !(mayChange && resource.kind === 'image' && !isBlocked(resource)) && <Preview siteId={site.id} resource={resource} />
      )}
      <ResourceForm key={resource.id} site={site} resource={resource} mayWrite={mayChange}>
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
        {!isPlayed && itemActions}
      </ResourceForm>
      {resource.kind === 'svg' && !isBlocked(resource) && <SvgCode siteId={site.id} id={resource.id} />}
      <UsedBy siteId={site.id} id={resource.id} actions={mayChange && <Button onClick={() => setReplacing(true)}>{t('replace.open')}</Button>} />
      <Versions siteId={site.id} resource={resource} mayWrite={mayChange} />
      <ResourceFacts resource={resource} />
      {file && <ReplaceFile siteId={site.id} resource={resource} file={file} onClose={() => setFile(null)} />}
      {replacing && <ReplaceEverywhere siteId={site.id} resource={resource} onClose={() => setReplacing(false)} />}
    </div>
  );
}

/** One resource in a drawer with its own address (`?item=`): preview, facts, texts and actions. */
export default function ResourceDrawer({ site, id, mayWrite, actions, onClose }: Props): ReactElement {
  const { t } = useTranslation('resources');
  const titleId = useId();
  const result = useResourceQuery({ siteId: site.id, id }, { refetchOnMountOrArgChange: true });
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      sx={{ '& [tabindex="-1"]:focus-visible': { outline: 'none' } }}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: { xs: '100%', sm: 560 } } } }}
    >
      <header className="resource-drawer-head">
        <h2 id={titleId}>{result.currentData?.name ?? t('item.heading')}</h2>
        <IconButton label={t('item.close')} onClick={onClose}>
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
          {(resource) => <Item site={site} resource={resource} mayWrite={mayWrite} actions={actions} onClose={onClose} />}
        </ResultState>
      </div>
    </Drawer>
  );
}
