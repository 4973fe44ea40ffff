import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestoreReport } from '@contract/tables/maintenance';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useStartTableRestoreMutation } from './growth/maintenanceApi';
import { TextLine, Tick } from '@/features/tables/parts/controls';

const most = 100;

/** Confirms a restore: the title of the new table, and whether to restore the records of its bin. */
export const RestoreDialog = ({
  siteId,
  id,
  report,
  onClose,
}: {
  readonly siteId: string;
  readonly id: string;
  readonly report: RestoreReport;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const titleId = useId();
  const [title, setTitle] = useState(report.title);
  const [withBin, setWithBin] = useState(true);
  const [start, { isLoading, error }] = useStartTableRestoreMutation();
  const name = title.trim();
  const go = async (): Promise<void> => {
    // The title is sent only if it was changed: otherwise the dry run remains valid.
    const body = { dryRun: false, trash: withBin, ...(name === report.title ? {} : { title: name }) };
    const { data } = await start({ siteId, id, body });
    if (data) onClose();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void go();
        }}
      >
        <DialogTitle id={titleId}>{t('maintenance.restore.ask')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 1.5 }}>
          {isFailure(error) && <ErrorPanel title={t('maintenance.restore.state.failed')} failure={error} />}
          <TextLine label={t('maintenance.restore.name')} value={title} max={most} onChange={setTitle} />
          {report.binned > 0 && (
            <Tick
              label={t('maintenance.restore.withBin', { count: report.binned, countText: format.number(report.binned) })}
              checked={withBin}
              onChange={setWithBin}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{t('maintenance.restore.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={name === '' || isLoading} aria-busy={isLoading}>
            {t('maintenance.restore.run')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
