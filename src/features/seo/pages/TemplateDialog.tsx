import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { TemplateText } from '@contract/seo/part';
import { seoLimits, templateVariables } from '@contract/seo/terms';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { PlainButton } from '@/ui/PlainButton';
import { useFillSeoPagesMutation } from '../seoApi';
import type { PageTexts } from './bulk';
import { TextList } from './TextList';
import type { BulkChange } from './useBulkChange';

const Input = z.object({ title: TemplateText, description: TemplateText });
type Props = {
  readonly siteId: string;
  readonly tag: string;
  readonly paths: readonly string[];
  readonly change: BulkChange;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Makes texts of their own for the selected pages from templates: shows what they make of each, then stores it. */
export function TemplateDialog({ siteId, tag, paths, change, onDone, onClose }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const [fill] = useFillSeoPagesMutation();
  const [filled, setFilled] = useState<readonly PageTexts[] | null>(null);
  const form = useContractForm(Input, { defaultValues: { title: '', description: '' } });
  type Outcome = readonly PageTexts[] | { readonly revision: number };
  const { submit, busy, failure } = useSubmit(form, {
    send: async ({ title, description }): Promise<SubmitResult<Outcome>> => {
      if (filled !== null) return change(filled);
      const { data, error } = await fill({ siteId, body: { tag, paths: [...paths], title, description } });
      if (error !== undefined) return { error };
      // A template that says nothing about a page leaves its text alone.
      const rows = data.rows.map((row) => ({
        path: row.path,
        ...(row.title === '' ? {} : { title: row.title }),
        ...(row.description === '' ? {} : { description: row.description }),
      }));
      return { data: rows.filter(({ title: made, description: text }) => made !== undefined || text !== undefined) };
    },
    onSuccess: (outcome) => ('revision' in outcome ? onDone() : setFilled(outcome)),
  });
  const isEmpty = filled?.length === 0;
  return (
    <FormDialog
      form={form}
      title={t('pages.bulk.templateTitle', { count: paths.length })}
      lead={t('pages.bulk.templateLead')}
      submitLabel={t(filled === null ? 'pages.bulk.preview' : 'pages.bulk.apply')}
      canSubmit={!isEmpty}
      busy={busy}
      failure={failure}
      width="md"
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {filled === null ? (
        <>
          <TextField
            control={form.control}
            name="title"
            label={t('pages.title')}
            placeholder="{title} {sep} {site}"
            messages={{ pattern: t('pages.bulk.templateInvalid') }}
            maxLength={seoLimits.template}
            optional
            verbatim
            autoFocus
          />
          <TextField
            control={form.control}
            name="description"
            label={t('pages.description')}
            placeholder="{description}"
            messages={{ pattern: t('pages.bulk.templateInvalid') }}
            maxLength={seoLimits.template}
            optional
            verbatim
          />
          <ul className="seo-variables seo-unused" aria-label={t('settings.variables')}>
            {templateVariables.map((variable) => (
              <li key={variable}>
                <code>{`{${variable}}`}</code> {t(`settings.variable.${variable}`)}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          {isEmpty && <p role="status">{t('pages.bulk.nothing')}</p>}
          <TextList rows={filled} />
          <div>
            <PlainButton onClick={() => setFilled(null)}>{t('pages.bulk.back')}</PlainButton>
          </div>
        </>
      )}
    </FormDialog>
  );
}
