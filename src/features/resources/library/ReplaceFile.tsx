import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { isPicture } from '../kinds';
import { useUploadQueue } from '../uploads/uploads';
import { contentAddress, variantAddress } from '../resourcesApi';
import { useMeasures } from '../ResourceGrid';
import './library.css';

/** The address of a file that is still only in the browser, while it is shown; null if it is no picture. */
function usePicture(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith('image/')) return undefined;
    const created = URL.createObjectURL(file);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return address;
}

function Side({ title, picture, facts }: { readonly title: string; readonly picture: string | null; readonly facts: readonly string[] }): ReactElement {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <span className="resource-picture">{picture === null ? <Icon name="file" size={32} /> : <img src={picture} alt="" />}</span>
      <small>{facts.join(' · ')}</small>
    </figure>
  );
}

/** Shows the current file beside the one that is to replace it. */
export function ReplaceFile({
  siteId,
  resource,
  file,
  onClose,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly file: File;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation(['resources', 'ui']);
  const format = useFormat();
  const titleId = useId();
  const measuresOf = useMeasures();
  const queue = useUploadQueue();
  const { id, kind, name, folderId } = resource;
  const picture = usePicture(file);
  const current = kind === 'image' ? variantAddress(siteId, resource, 'small') : kind === 'svg' ? contentAddress(siteId, resource) : null;
  const replace = (): void => {
    // It keeps its name: only the content is replaced.
    queue.add(siteId, [{ file, name, folderId, replaces: id }]);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('replaceFile.title', { name })}</DialogTitle>
      <DialogContent>
        <div className="resource-sides">
          <Side title={t('replaceFile.before')} picture={current} facts={measuresOf(resource)} />
          <Side title={t('replaceFile.after')} picture={picture} facts={[file.name, bytesText(file.size, format)]} />
        </div>
        {isPicture(kind) && !file.type.startsWith('image/') && <Alert severity="warning">{t('replaceFile.otherKind')}</Alert>}
        <p className="resource-note">{t('replaceFile.text')}</p>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('ui:cancel')}</Button>
        <Button variant="contained" onClick={replace}>
          {t('item.replace')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
