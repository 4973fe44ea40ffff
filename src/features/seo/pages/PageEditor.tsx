import { Button, NativeSelect, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeoPage } from '@contract/seo/schemas';
import { indexingValues, seoLimits } from '@contract/seo/terms';
import type { WidthTarget } from '@contract/seo/textWidth';
import type { Site } from '@contract/sites/schemas';
import { ResourceField } from '@/features/publishing/general/ResourceField';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { TextInput } from '../TextInput';
import { changeIn, draftOf } from './pageDraft';
import type { PageDraft } from './pageDraft';
import { ResultPreview, WidthNote } from './ResultPreview';
import { useSavePage } from './useSavePage';

type Props = {
  readonly site: Site;
  readonly tag: string;
  readonly page: SeoPage;
  readonly revision: number;
  readonly address: string;
  readonly onClose: () => void;
};
type FieldsProps = { readonly page: SeoPage; readonly draft: PageDraft; readonly target: WidthTarget; readonly onChange: (change: Partial<PageDraft>) => void };

function Texts({ page, draft, target, onChange }: FieldsProps): ReactElement {
  const { t } = useTranslation('seo');
  const description = page.inherited.description ?? '';
  return (
    <>
      <TextInput
        label={t('pages.title')}
        optional
        help={<WidthNote text={draft.title || page.inherited.title} part="title" target={target} />}
        value={draft.title}
        placeholder={page.inherited.title}
        maxLength={seoLimits.title}
        onChange={(title) => onChange({ title })}
      />
      <TextInput
        label={t('pages.description')}
        optional
        multiline
        help={<WidthNote text={draft.description || description} part="description" target={target} />}
        value={draft.description}
        placeholder={description}
        maxLength={seoLimits.description}
        onChange={(text) => onChange({ description: text })}
      />
    </>
  );
}

function Rules({ page, draft, onChange, canonicalError }: Omit<FieldsProps, 'target'> & { readonly canonicalError: string | undefined }): ReactElement {
  const { t } = useTranslation('seo');
  return (
    <>
      <Field label={t('pages.indexing')}>
        {({ id, ...aria }) => (
          <NativeSelect
            fullWidth
            id={id}
            value={draft.indexing ?? ''}
            input={<OutlinedInput />}
            inputProps={aria}
            onChange={(event) => onChange({ indexing: indexingValues.find((one) => one === event.target.value) ?? null })}
          >
            <option value="">{t('pages.byRules')}</option>
            {indexingValues.map((value) => (
              <option key={value} value={value}>
                {t(`pages.${value}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <TextInput
        label={t('pages.canonical')}
        optional
        verbatim
        help={t('pages.canonicalHelp')}
        error={canonicalError}
        value={draft.canonical}
        placeholder={page.path}
        maxLength={2000}
        onChange={(canonical) => onChange({ canonical })}
      />
    </>
  );
}

/** What search engines and social networks are told about one page, instead of what templates and rules say. */
export function PageEditor({ site, tag, page, revision, address, onClose }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const initial = draftOf(page, tag);
  const [draft, setDraft] = useState(initial);
  const [target, setTarget] = useState<WidthTarget>('desktop');
  const { save, busy, failure, isOutdated, canonicalError } = useSavePage(site.id, onClose);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const blocker = useUnsavedWork(isDirty);
  const change = (part: Partial<PageDraft>): void => setDraft({ ...draft, ...part });
  return (
    <form
      className="seo-editor"
      aria-label={t('pages.edit', { path: page.path })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save(changeIn(page, tag, draft), revision);
      }}
    >
      <div className="form-fields">
        <Texts page={page} draft={draft} target={target} onChange={change} />
        <Rules page={page} draft={draft} onChange={change} canonicalError={canonicalError} />
        <ResourceField
          siteId={site.id}
          label={t('pages.image')}
          help={t('pages.imageHelp')}
          kinds={['image']}
          value={draft.image}
          readOnly={false}
          onChange={(image) => change({ image })}
        />
        {isOutdated && <p role="alert">{t('pages.outdated')}</p>}
        {failure && <ErrorPanel failure={failure} />}
        <div className="publishing-buttons">
          <Button type="submit" variant="contained" disabled={!isDirty} aria-busy={busy}>
            {t('pages.save')}
          </Button>
          <Button onClick={onClose}>{t('pages.cancel')}</Button>
        </div>
      </div>
      <ResultPreview
        title={draft.title || page.inherited.title}
        description={draft.description || (page.inherited.description ?? '')}
        address={address}
        target={target}
        onTarget={setTarget}
      />
      <LeaveDialog blocker={blocker} />
    </form>
  );
}
