import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Conversation } from '@contract/support/conversations';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { conversationsChanged, supportApi, useMergeSupportConversationsMutation, useSupportVisitorQuery } from '../supportApi';

const Input = z.object({ from: z.string().min(1) });

/** Moves the messages of another conversation of the same visitor into this one. */
export function MergeDialog({
  siteId,
  conversation,
  onClose,
}: {
  readonly siteId: string;
  readonly conversation: Conversation;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [merge] = useMergeSupportConversationsMutation();
  const { currentData } = useSupportVisitorQuery({ siteId, id: conversation.id }, { refetchOnMountOrArgChange: true });
  const others = (currentData?.conversations ?? []).filter(({ id, state }) => id !== conversation.id && state !== 'spam');
  const form = useContractForm(Input, { defaultValues: { from: '' }, values: { from: others[0]?.id ?? '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ from }) => merge({ siteId, id: conversation.id, body: { from } }),
    onSuccess: (row) => {
      dispatch(conversationsChanged(siteId, [row]));
      dispatch(supportApi.util.invalidateTags(['SupportVisitor', { type: 'SupportConversations', id: siteId }]));
      dispatch(noticeShown({ tone: 'good', message: { key: 'support:merge.done' } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('merge.title')}
      lead={others.length > 0 && t('merge.lead', { number: conversation.number })}
      submitLabel={others.length === 0 ? null : t('merge.submit')}
      {...(others.length === 0 && { cancelLabel: t('conversation.closeDialog') })}
      busy={busy}
      danger
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <p>{t('merge.none')}</p>
      ) : (
        <SelectField
          control={form.control}
          name="from"
          label={t('merge.from')}
          choices={others.map(({ id, number, subject, text, startedAt }) => ({
            value: id,
            label: `#${String(number)} ${subject === '' ? text.slice(0, 40) : subject}`,
            detail: format.date(startedAt, { weekday: false }),
          }))}
        />
      )}
    </FormDialog>
  );
}
