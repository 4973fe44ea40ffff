import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Release } from '@contract/publishing/schemas';
import { defineUndo } from '@/features/notices/undoListeners';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { RadioCards } from '@/ui/form/RadioCards';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { publishingApi, useRollBackMutation } from '../publishingApi';

const Choice = z.strictObject({ records: z.enum(['undo', 'keep']) });
type Choice = z.output<typeof Choice>;

/** Offers to publish the release again that was live before the roll-back. Publications of records that the roll-back has undone are not repeated. */
const notifyRolledBack = defineUndo<{ siteId: string; id: string }>('publishing/rolledForward', (dispatch, { siteId, id }) =>
  dispatch(publishingApi.endpoints.rollBack.initiate({ siteId, id, body: { records: 'keep' } })),
);

/** Publishes an earlier release again; asks what happens to records that were published since. */
export function RollBackDialog({
  siteId,
  release,
  live,
  onClose,
}: {
  readonly siteId: string;
  readonly release: Release;
  readonly live: Release | undefined;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const [rollBack] = useRollBackMutation();
  const form = useContractForm(Choice, { defaultValues: { records: 'keep' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: async (body: Choice) => {
      const { data, error } = await rollBack({ siteId, id: release.id, body });
      return { data: data && { ...data, undone: body.records === 'undo' }, error };
    },
    onSuccess: ({ release: created, skipped, undone }) => {
      onClose();
      const values = { number: created.number, target: release.number, count: skipped };
      if (skipped > 0) dispatch(noticeShown({ tone: 'warning', message: { key: 'publishing:rollBack.skipped', values } }));
      else if (undone || !live) dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:rollBack.done', values } }));
      else notifyRolledBack(dispatch, { key: 'publishing:rollBack.done', values }, { siteId, id: live.id });
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('rollBack.title', { number: release.number })}
      lead={t('rollBack.lead', { number: release.number })}
      submitLabel={t('rollBack.submit')}
      busyLabel={t('rollBack.busy')}
      busy={busy}
      failure={failure}
      failureTitle={t('rollBack.failed')}
      confirmsDiscard={false}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioCards
        control={form.control}
        name="records"
        label={t('rollBack.records')}
        choices={(['keep', 'undo'] as const).map((value) => ({ value, label: t(`rollBack.${value}`), detail: t(`rollBack.${value}Detail`) }))}
      />
    </FormDialog>
  );
}
