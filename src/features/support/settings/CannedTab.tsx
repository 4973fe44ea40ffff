import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CannedReplyInput } from '@contract/support/settings';
import type { CannedReply } from '@contract/support/settings';
import { cannedValues } from '@contract/support/terms';
import { defineUndo } from '@/features/notices/undoListeners';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { Tag } from '@/ui/Tag';
import { supportApi, useAddCannedReplyMutation, useCannedRepliesQuery, useChangeCannedReplyMutation, useRemoveCannedReplyMutation } from '../supportApi';
import { ItemsTab } from './ItemsTab';

const offerUndo = defineUndo<{ readonly siteId: string; readonly id: string }>('support/cannedRemovalUndone', (dispatch, args) =>
  dispatch(supportApi.endpoints.restoreCannedReply.initiate(args, { track: false })),
);

type DialogProps = { readonly siteId: string; readonly reply: CannedReply | null; readonly mayConfigure: boolean; readonly onClose: () => void };

function ReplyDialog({ siteId, reply, mayConfigure, onClose }: DialogProps): ReactElement {
  const { t } = useTranslation('support');
  const [add] = useAddCannedReplyMutation();
  const [change] = useChangeCannedReplyMutation();
  const form = useContractForm(CannedReplyInput, {
    defaultValues: {
      shortcut: reply?.shortcut ?? '',
      title: reply?.title ?? '',
      body: reply?.body ?? '',
      scope: reply?.scope ?? (mayConfigure ? 'site' : 'mine'),
    },
  });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => (reply === null ? add({ siteId, body }) : change({ siteId, id: reply.id, revision: reply.revision, body })),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t(reply === null ? 'canned.addTitle' : 'canned.editTitle')}
      submitLabel={t(reply === null ? 'canned.create' : 'canned.save')}
      busy={busy}
      width="sm"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="shortcut"
        label={t('canned.shortcut')}
        help={t('canned.shortcutHelp')}
        messages={{ pattern: t('canned.shortcutHelp') }}
        verbatim
        maxLength={20}
        startAdornment="/"
      />
      <TextField control={form.control} name="title" label={t('canned.title')} maxLength={80} />
      <TextField
        control={form.control}
        name="body"
        label={t('canned.body')}
        help={t('canned.bodyHelp', { values: cannedValues.map((value) => `{{${value}}}`).join(' ') })}
        multiline
        minRows={4}
      />
      {mayConfigure && (
        <SelectField
          control={form.control}
          name="scope"
          label={t('canned.scope')}
          choices={(['site', 'mine'] as const).map((scope) => ({ value: scope, label: t(`canned.scopes.${scope}`) }))}
        />
      )}
    </FormDialog>
  );
}

/** Texts that agents insert by typing `/` and a shortcut. */
export function CannedTab({
  siteId,
  mayReply,
  mayConfigure,
}: {
  readonly siteId: string;
  readonly mayReply: boolean;
  readonly mayConfigure: boolean;
}): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const result = useCannedRepliesQuery({ siteId });
  const [remove] = useRemoveCannedReplyMutation();
  const [open, setOpen] = useState<CannedReply | 'new' | null>(null);
  const texts = { label: t('canned.label'), lead: t('canned.lead'), add: t('canned.add'), none: t('canned.none'), noneText: t('canned.noneText') };
  return (
    <>
      <ItemsTab
        result={result}
        texts={texts}
        onAdd={mayReply ? () => setOpen('new') : null}
        remove={({ id }) => remove({ siteId, id })}
        onRemoved={({ id, shortcut }) => offerUndo(dispatch, { key: 'support:canned.removed', values: { shortcut } }, { siteId, id })}
      >
        {(reply, removeIt) => (
          <>
            <span>
              <code>/{reply.shortcut}</code> <b>{reply.title}</b> {reply.scope === 'mine' && <Tag>{t('canned.own')}</Tag>}
              <small dir="auto" title={reply.body}>
                {reply.body}
              </small>
            </span>
            <small>{t('canned.uses', { count: reply.uses, countText: format.number(reply.uses) })}</small>
            {mayReply && (mayConfigure || reply.scope === 'mine') && (
              <>
                <Button size="small" aria-label={t('canned.editOf', { shortcut: reply.shortcut })} onClick={() => setOpen(reply)}>
                  {t('canned.edit')}
                </Button>
                <Button size="small" aria-label={t('canned.removeOf', { shortcut: reply.shortcut })} onClick={removeIt}>
                  {t('canned.remove')}
                </Button>
              </>
            )}
          </>
        )}
      </ItemsTab>
      {open !== null && <ReplyDialog siteId={siteId} reply={open === 'new' ? null : open} mayConfigure={mayConfigure} onClose={() => setOpen(null)} />}
    </>
  );
}
