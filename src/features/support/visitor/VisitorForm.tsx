import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { VisitorDetails } from '@contract/support/conversations';
import type { SupportVisitor } from '@contract/support/conversations';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { Tag } from '@/ui/Tag';
import { useChangeSupportVisitorMutation } from '../supportApi';

const names = ['name', 'email', 'phone', 'wechat', 'company'] as const;
/** Tags are typed with commas between them. */
const Input = VisitorDetails.extend({
  tags: z.string().transform((text) =>
    text
      .split(/[,，、]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
});

function Dialog({ siteId, visitor, onClose }: { readonly siteId: string; readonly visitor: SupportVisitor; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('support');
  const [change] = useChangeSupportVisitorMutation();
  const { name, email, phone, wechat, company, tags, note } = visitor;
  const form = useContractForm(Input, { defaultValues: { name, email, phone, wechat, company, note, tags: tags.join(', ') } });
  const { submit, busy, failure } = useSubmit(form, { send: (body) => change({ siteId, id: visitor.id, body }), onSuccess: onClose });
  return (
    <FormDialog form={form} title={t('visitor.editTitle')} submitLabel={t('visitor.save')} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
      {names.map((field) => (
        <TextField
          key={field}
          control={form.control}
          name={field}
          label={t(`field.${field}`)}
          optional
          autoComplete="off"
          {...(field === 'email' && { inputMode: 'email' as const, verbatim: true })}
          {...(field === 'phone' && { inputMode: 'tel' as const })}
        />
      ))}
      <TextField control={form.control} name="tags" label={t('visitor.tags')} help={t('visitor.tagsHelp')} optional />
      <TextField control={form.control} name="note" label={t('visitor.note')} help={t('visitor.noteHelp')} optional multiline minRows={3} />
    </FormDialog>
  );
}

/** What is known about the visitor, and the dialog that changes it. */
export function VisitorForm({
  siteId,
  visitor,
  mayReply,
}: {
  readonly siteId: string;
  readonly visitor: SupportVisitor;
  readonly mayReply: boolean;
}): ReactElement {
  const { t } = useTranslation('support');
  const [editing, setEditing] = useState(false);
  const details = names.filter((field) => field !== 'name' && visitor[field] !== '');
  return (
    <section aria-label={t('visitor.details')}>
      <h3>
        <span dir="auto">{visitor.name === '' ? t('visitor.unnamed') : visitor.name}</span>
        {visitor.online && <Tag tone="good">{t('visitor.online')}</Tag>}
        {visitor.blocked && <Tag tone="bad">{t('visitor.blocked')}</Tag>}
      </h3>
      <dl className="support-facts">
        {details.map((field) => (
          <div key={field}>
            <dt>{t(`field.${field}`)}</dt>
            <dd>
              {field === 'email' ? (
                <a className="text-link" href={`mailto:${encodeURIComponent(visitor.email)}`}>
                  {visitor.email}
                </a>
              ) : (
                visitor[field]
              )}
            </dd>
          </div>
        ))}
        {Object.entries(visitor.custom).map(([label, value]) => (
          <div key={label}>
            <dt dir="auto">{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {visitor.tags.length > 0 && (
        <p className="support-tags">
          {visitor.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
      {visitor.note !== '' && (
        <p className="support-visitor-note" dir="auto">
          {visitor.note}
        </p>
      )}
      {mayReply && (
        <Button size="small" onClick={() => setEditing(true)}>
          {t('visitor.edit')}
        </Button>
      )}
      {editing && <Dialog siteId={siteId} visitor={visitor} onClose={() => setEditing(false)} />}
    </section>
  );
}
