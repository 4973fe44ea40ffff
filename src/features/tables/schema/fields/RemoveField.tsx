import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFieldUsageQuery, useRemoveFieldMutation } from '@/features/tables/parts/designApi';
import { notifyFieldRemoved } from './fieldUndo';

type Props = { readonly site: Site; readonly table: ContentTable; readonly field: TableField; readonly onRemoved: () => void };

/** Confirms the removal, listing what uses the field; the field can be restored from the bin. */
export const RemoveFieldDialog = ({ site, table, field, onRemoved, onClose }: Props & { readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const dispatch = useAppDispatch();
  const id = useId();
  const at = { siteId: site.id, table: table.id, field: field.id };
  const usage = useFieldUsageQuery(at, { refetchOnMountOrArgChange: true });
  const [remove, { isLoading, error }] = useRemoveFieldMutation();
  const used = usage.currentData;
  const primary = table.primaryField === field.id;
  const go = async () => {
    const { data } = await remove(at);
    if (!data) return;
    notifyFieldRemoved(dispatch, at, field.title);
    onClose();
    onRemoved();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>{t('remove.title', { name: field.title })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1.5, fontSize: 'var(--text-body)', '& p, & ul': { m: 0 } }}>
        {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
        {isFailure(usage.error) && <ErrorPanel failure={usage.error} onRetry={() => void usage.refetch()} retrying={usage.isFetching} />}
        <p>{t(primary ? 'remove.primary' : 'remove.text')}</p>
        {usage.isFetching && !used && <p role="status">{t('remove.checking')}</p>}
        {used?.length === 0 && <p className="design-quiet">{t('remove.unused')}</p>}
        {used && used.length > 0 && (
          <>
            <p>
              <b>{t('remove.usedText')}</b>
            </p>
            <ul style={{ paddingLeft: 20 }}>
              {used.map((one) => (
                <li key={`${one.kind}${one.id}`}>
                  {t(`remove.kind.${one.kind}`)} · {one.name}
                </li>
              ))}
            </ul>
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button color="error" variant="contained" disabled={isLoading || primary || !used} aria-busy={isLoading} onClick={() => void go()}>
          {t('remove.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

export const RemoveField = (props: Props): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button color="error" sx={{ ml: 'auto' }} onClick={() => setAsking(true)}>
        {t('remove.field')}
      </Button>
      {asking && <RemoveFieldDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
};
