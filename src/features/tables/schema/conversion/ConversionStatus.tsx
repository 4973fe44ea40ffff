import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { Conversion } from '@contract/tables/conversion';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useJob } from '@/features/jobs/useJob';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useUndoConversionMutation } from './conversionApi';

const errors = ['invalid_fields', 'duplicate_values', 'conflict'] as const;
const isKnown = (code: string | null): code is (typeof errors)[number] => (errors as readonly (string | null)[]).includes(code);

/** Progress of a conversion, with a button to stop it. */
const Running = ({ conversion }: { readonly conversion: Conversion }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const { number } = useFormat();
  const { done, total, to, undoes, jobId } = conversion;
  const { stop, stopping } = useJob(jobId);
  const type = t(`tableDesign:type.${to}`);
  return (
    <div className="convert-status">
      <JobProgress
        title={undoes ? t('status.undoing', { type }) : t('status.running', { type })}
        share={shareDone(done, total)}
        detail={total === 0 ? t('status.waiting') : t('status.progress', { done: number(done), total: number(total) })}
        note={t('status.background')}
        stop={{ label: t(stopping ? 'status.stopping' : 'status.stop'), busy: stopping, onStop: () => void stop() }}
      />
    </div>
  );
};

/** The effect of the last conversion on the values. */
const Ended = ({ conversion }: { readonly conversion: Conversion }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const { state, to, undoes, lossy, emptied, edited, error } = conversion;
  if (state === 'cancelled') return <p>{t('status.cancelled')}</p>;
  if (state === 'failed')
    return (
      <p role="alert">
        {t('status.failed')} {t(`status.error.${isKnown(error) ? error : 'other'}`)}
      </p>
    );
  const type = t(`tableDesign:type.${to}`);
  const counts = undoes
    ? [edited > 0 && t('status.edited', { count: edited }), emptied > 0 && t('status.unfit', { count: emptied })]
    : [lossy > 0 && t('status.lossy', { count: lossy }), emptied > 0 && t('status.emptied', { count: emptied })];
  const said = counts.filter((one) => one !== false);
  return (
    <>
      <p role="status">
        <b>{undoes ? t('status.undone', { type }) : t('status.done', { type })}</b>
      </p>
      {said.length > 0 && <p>{said.join(t('status.comma'))}</p>}
    </>
  );
};

/** Status of a field's current or last conversion, with a button to revert it. */
export const ConversionStatus = ({
  site,
  table,
  field,
  conversion,
  undoable,
}: {
  readonly site: Site;
  readonly table: ContentTable;
  readonly field: TableField;
  readonly conversion: Conversion;
  readonly undoable: Conversion | null;
}): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const { dateTime } = useFormat();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [undo, { isLoading }] = useUndoConversionMutation();
  if (conversion.state === 'running') return <Running conversion={conversion} />;
  const goBack = async (to: Conversion) => {
    const type = t(`tableDesign:type.${to.from}`);
    if (!(await confirm({ title: t('status.undoAsk', { type }), body: t('status.undoText'), confirm: t('status.undoGo') }))) return;
    const { error } = await undo({ siteId: site.id, table: table.id, field: field.id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error) }));
  };
  return (
    <div className="convert-status">
      <Ended conversion={conversion} />
      {undoable?.undoUntil && (
        <div className="design-line">
          <Button variant="outlined" disabled={isLoading} aria-busy={isLoading} onClick={() => void goBack(undoable)}>
            {t('status.undo')}
          </Button>
          <span className="design-quiet">{t('status.until', { when: dateTime(undoable.undoUntil) })}</span>
        </div>
      )}
    </div>
  );
};
