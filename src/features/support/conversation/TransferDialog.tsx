import { nanoid } from '@reduxjs/toolkit';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Agent, Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { conversationsChanged, useTransferSupportConversationMutation } from '../supportApi';

const Input = z.object({ to: z.string().min(1), note: z.string().max(supportLimits.message) });

type Props = { readonly siteId: string; readonly conversation: Conversation; readonly agents: readonly Agent[]; readonly onClose: () => void };

/** Passes a conversation to another agent, with a note that only agents read. */
export function TransferDialog({ siteId, conversation, agents, onClose }: Props): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const [transfer] = useTransferSupportConversationMutation();
  // The same for every attempt, so that the note is stored once.
  const [clientId] = useState(() => nanoid());
  const me = useAppSelector(selectSession)?.userId;
  // Agents take a conversation over themselves by choosing the assignee.
  const others = agents.filter(({ id }) => id !== conversation.assignee?.id && id !== me);
  const form = useContractForm(Input, { defaultValues: { to: others.find(({ online }) => online)?.id ?? others[0]?.id ?? '', note: '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ to, note }) => transfer({ siteId, id: conversation.id, body: { to, note: note.trim(), clientId } }),
    onSuccess: (row) => {
      dispatch(conversationsChanged(siteId, [row]));
      dispatch(noticeShown({ tone: 'good', message: { key: 'support:transfer.done', values: { name: row.assignee?.name ?? '' } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('transfer.title')}
      submitLabel={others.length === 0 ? null : t('transfer.submit')}
      {...(others.length === 0 && { cancelLabel: t('conversation.closeDialog') })}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <p>{t('transfer.nobody')}</p>
      ) : (
        <>
          <SelectField
            control={form.control}
            name="to"
            label={t('transfer.to')}
            choices={others.map(({ id, name, online, active }) => ({
              value: id,
              label: name,
              detail: t(online ? 'transfer.online' : 'transfer.offline', { count: active }),
            }))}
          />
          <TextField
            control={form.control}
            name="note"
            label={t('transfer.note')}
            help={t('transfer.noteHelp')}
            optional
            multiline
            minRows={3}
            maxLength={supportLimits.message}
          />
        </>
      )}
    </FormDialog>
  );
}
