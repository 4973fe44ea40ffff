import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { PathText } from '@contract/publishing/parts';
import type { ThemeManifest } from '@contract/publishing/theme';
import { safeText } from '@contract/text';
import { useLanguageName } from '@/lib/languageName';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { textsFor, withoutEmpty } from '@/lib/languageTexts';
import { useTextIn } from '../useTextIn';
import { pageTemplates } from './routeList';
import type { TemplateRoute } from './routeList';

const PageValues = z.strictObject({ path: PathText, template: z.string().min(1), title: z.record(z.string(), safeText(120)) });
type PageValues = z.output<typeof PageValues>;

/** A page at an address of its own, such as the home page: its template, and its title in each language. */
export function TemplateDialog({
  manifest,
  route,
  languages,
  conflictOf,
  onClose,
  onDone,
}: {
  readonly manifest: ThemeManifest;
  readonly route: TemplateRoute | null;
  readonly languages: readonly string[];
  readonly conflictOf: (route: TemplateRoute) => 'reserved' | 'duplicate' | null;
  readonly onClose: () => void;
  readonly onDone: (route: TemplateRoute) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const languageName = useLanguageName();
  const templates = pageTemplates(manifest).map(([key, { label }]) => ({ value: key, label: textIn(label) || key }));
  // A template that the theme no longer has stays until another one is chosen.
  const choices =
    route && !templates.some(({ value }) => value === route.template) ? [{ value: route.template, label: route.template }, ...templates] : templates;
  const form = useContractForm(PageValues, {
    defaultValues: {
      path: route?.path ?? '/',
      template: route?.template ?? choices[0]?.value ?? '',
      title: textsFor(languages, route?.title),
    },
  });
  const submit = ({ path, template, title }: PageValues): void => {
    const next: TemplateRoute = { kind: 'template', path, template, title: withoutEmpty(title) };
    const conflict = conflictOf(next);
    if (conflict === null) onDone(next);
    else form.setError('path', { message: encodeFieldError({ code: conflict }) }, { shouldFocus: true });
  };
  return (
    <FormDialog
      form={form}
      title={t(route ? 'address.pageTitle' : 'address.addPage')}
      submitLabel={t(route ? 'menu.apply' : 'menu.addSubmit')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField control={form.control} name="template" label={t('address.template')} choices={choices} />
      <TextField
        control={form.control}
        name="path"
        label={t('address.path')}
        help={t('address.pathHelp')}
        verbatim
        messages={{ pattern: t('address.pathPattern'), reserved: t('address.reserved'), duplicate: t('address.duplicate') }}
      />
      {languages.map((language) => (
        <TextField
          key={language}
          control={form.control}
          name={`title.${language}`}
          label={languages.length === 1 ? t('address.pageName') : t('address.pageNameIn', { language: languageName(language) })}
          optional
          maxLength={120}
        />
      ))}
    </FormDialog>
  );
}
