import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { PickResource } from './PickResource';
import { useReplaceEverywhere } from './useReplaceEverywhere';
import './library.css';

/** Chooses the resource that takes the place of another one in every record. */
export function ReplaceEverywhere({
  siteId,
  resource,
  onClose,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation(['resources', 'ui']);
  const titleId = useId();
  const replace = useReplaceEverywhere(siteId);
  const [by, setBy] = useState<Resource | null>(null);
  const [remove, setRemove] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (!by) return;
    setBusy(true);
    if (await replace([resource.id], by.id, remove)) onClose();
    else setBusy(false);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="md">
      <DialogTitle id={titleId}>{t('replace.title', { name: resource.name })}</DialogTitle>
      <DialogContent>
        <p className="resource-note">{t('replace.lead')}</p>
        <PickResource siteId={siteId} kind={resource.kind} except={resource.id} chosen={by ? [by.id] : []} onChoose={setBy} />
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1, padding: '8px 24px 16px' }}>
        <label className="resource-check">
          <input type="checkbox" checked={remove} onChange={(event) => setRemove(event.target.checked)} /> {t('replace.remove')}
        </label>
        <Button onClick={onClose}>{t('ui:cancel')}</Button>
        <Button variant="contained" disabled={by === null || busy} aria-busy={busy} onClick={() => void run()}>
          {by ? t('replace.doWith', { name: by.name }) : t('replace.do')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
