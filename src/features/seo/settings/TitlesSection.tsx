import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { compilePageRules, defaultTitle } from '@contract/seo/pageRules';
import type { PageFacts } from '@contract/seo/pageRules';
import { seoLimits, templateVariables } from '@contract/seo/terms';
import type { PageKind } from '@contract/seo/terms';
import { useLanguageName } from '@/lib/languageName';
import { FilterSelect } from '@/ui/FilterSelect';
import { FormSection } from '@/ui/form/FormSection';
import { Toggles } from '@/ui/Toggles';
import { TextInput } from '../TextInput';
import type { Collection } from './EntitiesSection';
import type { SectionProps, SeoContent } from './sectionProps';

const separators = ['·', '-', '|', '–', '_'] as const;
const kinds = ['home', 'record', 'list', 'template', 'search', 'not_found'] as const satisfies readonly PageKind[];

/** Pages that one template is for. */
type Scope = { readonly kind: PageKind; readonly collection: string };
const nameOf = ({ kind, collection }: Scope): string => `${kind} ${collection}`;
const isOf =
  (scope: Scope) =>
  (template: Scope): boolean =>
    nameOf(template) === nameOf(scope);

/** The template of some pages in a language; an empty one goes. */
function withTemplate(content: SeoContent, scope: Scope, text: 'title' | 'description', language: string, value: string): SeoContent {
  const current = content.templates.find(isOf(scope)) ?? { ...scope, title: {}, description: {} };
  const texts = Object.fromEntries(Object.entries({ ...current[text], [language]: value }).filter(([, one]) => one !== ''));
  const next = { ...current, [text]: texts };
  const others = content.templates.filter((template) => !isOf(scope)(template));
  const isEmpty = Object.keys(next.title).length === 0 && Object.keys(next.description).length === 0;
  return { ...content, templates: isEmpty ? others : [...others, next] };
}

type Props = SectionProps & { readonly languages: readonly string[]; readonly collections: readonly Collection[]; readonly siteName: string };

function TemplateFields({ content, onChange, readOnly, languages, siteName, scope }: Props & { readonly scope: Scope }): ReactElement {
  const { t } = useTranslation('seo');
  const languageName = useLanguageName();
  const template = content.templates.find(isOf(scope));
  const rules = compilePageRules({ ...content, overrides: [] }, languages);
  const example = (language: string): string => {
    const facts: PageFacts = {
      kind: scope.kind,
      collection: scope.collection === '*' ? null : scope.collection,
      collectionTitle: t('settings.example.collection'),
      path: '/example',
      language,
      title: scope.kind === 'home' ? null : t('settings.example.title'),
      description: t('settings.example.description'),
      page: 1,
      date: t('settings.example.date'),
    };
    return rules.title(facts, { title: siteName, tagline: t('settings.example.tagline') });
  };
  return (
    <>
      {languages.map((language) => {
        const suffix = languages.length === 1 ? '' : ` · ${languageName(language)}`;
        return (
          <div key={language} className="seo-template">
            <TextInput
              label={t('settings.title') + suffix}
              optional
              disabled={readOnly}
              value={template?.title[language] ?? ''}
              placeholder={defaultTitle(scope.kind)}
              maxLength={seoLimits.template}
              help={t('settings.exampleOf', { text: example(language) })}
              onChange={(value) => onChange(withTemplate(content, scope, 'title', language, value))}
            />
            <TextInput
              label={t('settings.description') + suffix}
              optional
              disabled={readOnly}
              value={template?.description[language] ?? ''}
              placeholder="{description}"
              maxLength={seoLimits.template}
              onChange={(value) => onChange(withTemplate(content, scope, 'description', language, value))}
            />
          </div>
        );
      })}
    </>
  );
}

/** How titles and descriptions are made. */
export function TitlesSection(props: Props): ReactElement {
  const { t } = useTranslation('seo');
  const { content, onChange, readOnly, collections } = props;
  const scopes: readonly Scope[] = [
    ...kinds.map((kind) => ({ kind, collection: '*' })),
    ...collections.flatMap(({ key }) => (['record', 'list'] as const).map((kind) => ({ kind, collection: key }))),
  ];
  const [name, setName] = useState('record *');
  const scope = scopes.find((one) => nameOf(one) === name) ?? { kind: 'record', collection: '*' };
  const choices = scopes.map((one) => ({
    value: nameOf(one),
    label: [t(`settings.kind.${one.kind}`), ...collections.filter(({ key }) => key === one.collection).map(({ title }) => title)].join(' · '),
  }));
  return (
    <FormSection title={t('settings.titles')} lead={t('settings.titlesLead')}>
      {!readOnly && (
        <div>
          <span className="field-label" aria-hidden="true">
            {t('settings.separator')}
          </span>
          <Toggles
            label={t('settings.separator')}
            value={content.separator}
            choices={separators.map((value) => ({ value: value as string, label: value }))}
            onChoose={(separator) => onChange({ ...content, separator })}
          />
        </div>
      )}
      <FilterSelect label={t('settings.pages')} value={nameOf(scope)} choices={choices} onChoose={setName} />
      <TemplateFields {...props} scope={scope} />
      <ul className="seo-variables seo-unused" aria-label={t('settings.variables')}>
        {templateVariables.map((variable) => (
          <li key={variable}>
            <code>{`{${variable}}`}</code> {t(`settings.variable.${variable}`)}
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
