import { Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Radio, RadioGroup } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice, ContentTable, TableField } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ChooseLine } from '@/features/tables/parts/controls';
import { useRemoveChoiceMutation } from '@/features/tables/parts/designApi';
import { offerUndo } from '@/features/tables/undo';

/** Removes a choice that records use: they get another choice or none. Applied at once, independently of other edits. */
export const RemoveChoice = ({
  siteId,
  table,
  field,
  choice,
  others,
  records,
  onGone,
  onClose,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly field: TableField;
  readonly choice: Choice;
  /** Saved choices that can replace it. */ readonly others: readonly Choice[];
  readonly records: number;
  /** The choice has been removed, and no record uses it. */ readonly onGone: () => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const titleId = useId();
  const { number } = useFormat();
  const dispatch = useAppDispatch();
  const [how, setHow] = useState<'move' | 'empty'>(others.length > 0 ? 'move' : 'empty');
  const [to, setTo] = useState(others[0]?.id ?? '');
  const [remove, { isLoading, error }] = useRemoveChoiceMutation();
  const name = choice.title;
  const countText = number(records);
  const go = async () => {
    const { data } = await remove({ siteId, table: table.id, field: field.id, choice: choice.id, body: { to: how === 'move' ? to : null } });
    if (!data) return;
    const { batchId, moved, jobId } = data;
    const removed = { key: 'tableDesign:choices.removed', values: { name, count: moved, countText: number(moved) } };
    if (batchId !== null) offerUndo(dispatch, { id: `choice-${choice.id}`, message: removed, undo: { siteId, table: table.id, batch: batchId } });
    else dispatch(noticeShown({ tone: 'good', message: jobId === null ? removed : { key: 'tableDesign:choices.removing', values: { name } } }));
    onClose();
    if (jobId === null) onGone();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t('choices.removeTitle', { name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1.5, fontSize: 'var(--text-body)', '& p': { m: 0 } }}>
        {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
        <p>{t('choices.usedBy', { count: records, countText })}</p>
        <RadioGroup aria-label={t('choices.removeHow')} value={how} onChange={(_event, next) => setHow(next as 'move' | 'empty')}>
          <FormControlLabel value="move" disabled={others.length === 0} control={<Radio />} label={t('choices.move')} />
          {how === 'move' && (
            <div style={{ paddingLeft: 30 }}>
              <ChooseLine label={t('choices.moveTo')} value={to} options={others.map(({ id, title }) => ({ id, name: title }))} onChange={setTo} />
            </div>
          )}
          <FormControlLabel
            value="empty"
            disabled={field.required}
            control={<Radio />}
            label={t(field.required ? 'choices.emptyRequired' : field.type === 'multiSelect' ? 'choices.emptyMany' : 'choices.empty')}
          />
        </RadioGroup>
        <p className="design-quiet">{t(table.drafts ? 'choices.removeNoteDrafts' : 'choices.removeNote')}</p>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('choices.keep')}</Button>
        <Button
          color="error"
          variant="contained"
          disabled={isLoading || (how === 'move' ? to === '' : field.required)}
          aria-busy={isLoading}
          onClick={() => void go()}
        >
          {t(isLoading ? 'choices.removingNow' : 'choices.removeNow')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
