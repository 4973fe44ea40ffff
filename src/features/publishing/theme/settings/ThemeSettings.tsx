import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { chainOf } from '@contract/languages/fallback';
import type { LanguagesPart } from '@contract/languages/part';
import { tagsOf } from '@contract/languages/tags';
import type { ThemeManifest, ThemeSetting } from '@contract/publishing/theme';
import { hasLanguages, textOfSetting } from '@contract/publishing/themeTexts';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { encodeFieldError } from '@/ui/form/fieldError';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { useTextIn } from '../../useTextIn';
import { groupsOf, valueOf } from './settingModel';
import type { SettingGroup, SettingValue } from './settingModel';
import { settingOf, valueName } from './settingNames';
import { SettingField } from './SettingField';
import type { ThemeValues } from './useThemeValues';

type Props = {
  readonly siteId: string;
  readonly manifest: ThemeManifest;
  readonly form: ThemeValues;
  readonly languages: LanguagesPart;
  /** Language of the texts that are edited. */
  readonly tag: string;
  readonly readOnly: boolean;
  readonly onTag: (tag: string) => void;
};

/** A value as a text, for comparing two people's. */
function useValueText(): (setting: ThemeSetting | undefined, value: SettingValue | undefined) => string {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  return (setting, value) => {
    if (setting === undefined) return String(value ?? '');
    const current = valueOf(setting, value);
    if (typeof current === 'boolean') return t(current ? 'theme.settings.on' : 'theme.settings.off');
    if (setting.type === 'choice') return textIn(setting.choices.find((choice) => choice.value === current)?.label);
    return String(current ?? '');
  };
}

/** The language of the texts; nothing where no text of the settings has several. */
function LanguageChoice({ manifest, languages, tag, onTag }: Pick<Props, 'manifest' | 'languages' | 'tag' | 'onTag'>): ReactElement | null {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  if (languages.languages.length < 2 || !manifest.settings.some(hasLanguages)) return null;
  return (
    <div className="theme-language">
      <FilterSelect
        label={t('theme.settings.language')}
        value={tag}
        choices={tagsOf(languages).map((value) => ({ value, label: t('theme.settings.textsIn', { language: languageName(value) }) }))}
        onChoose={onTag}
      />
      {tag !== languages.languages[0]?.tag && <p className="field-note">{t('theme.settings.languageNote')}</p>}
    </div>
  );
}

/** The settings of a heading. */
function SettingGroupFields({ group, ...props }: Props & { readonly group: SettingGroup }): ReactElement {
  const { siteId, form, languages, tag, readOnly } = props;
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const tags = tagsOf(languages);
  const [main = tag] = tags;
  const chain = chainOf(tag, Object.fromEntries(languages.languages.map((one) => [one.tag, one.fallback])), main);
  return (
    <fieldset className="theme-group">
      <legend>{group.title ?? t('theme.settings.other')}</legend>
      {group.settings.map((setting) => {
        const name = valueName(setting, tag);
        const stored = form.valueOf(name);
        const isTranslation = hasLanguages(setting) && tag !== main;
        const value = stored !== undefined && form.isChanged(name) ? stored : isTranslation ? (stored ?? '') : valueOf(setting, stored);
        return (
          <SettingField
            key={name}
            siteId={siteId}
            setting={setting}
            value={value}
            language={hasLanguages(setting) && tags.length > 1 ? { tag, name: languageName(tag) } : null}
            placeholder={isTranslation ? textOfSetting(setting, form.values[setting.key], chain, main) : ''}
            readOnly={readOnly}
            onChange={(next) => form.change(name, isTranslation && next === '' ? undefined : next)}
            onReset={readOnly || isTranslation || stored === undefined || stored === setting.default ? null : () => form.change(name, undefined)}
          />
        );
      })}
    </fieldset>
  );
}

/** The settings that the theme declares, as a form. Changes are saved to the working copy at once; visitors see them after the next release. */
export function ThemeSettings(props: Props): ReactElement {
  const { manifest, form, readOnly } = props;
  const { t, i18n } = useTranslation('publishing');
  const textIn = useTextIn();
  const languageName = useLanguageName();
  const textOf = useValueText();
  const { list } = useFormat();
  const errorText = useFieldErrorMessage();
  const nameOf = (name: string): string => {
    const { setting, tag } = settingOf(name, manifest);
    const label = textIn(setting?.label) || name;
    return tag === null || props.languages.languages.length < 2 ? label : `${label} · ${languageName(tag)}`;
  };
  const groups = groupsOf(manifest, i18n.language);
  // Languages of invalid texts that are not on the screen.
  const elsewhere = [...new Set(form.invalid.flatMap((name) => settingOf(name, manifest).tag ?? []))].filter((tag) => tag !== props.tag);
  const state = form.isSaving ? 'saving' : form.isDirty ? 'invalid' : 'saved';
  if (groups.length === 0) return <EmptyState title={t('theme.settings.none')}>{t('theme.settings.noneText')}</EmptyState>;
  return (
    <form className="theme-settings" aria-label={t('theme.settings.label')} noValidate onSubmit={(event) => event.preventDefault()}>
      <p className="theme-state" role="status" data-state={state}>
        {readOnly
          ? t('theme.readOnly')
          : state === 'invalid' && elsewhere.length > 0
            ? t('theme.settings.state.invalidIn', { languages: list(elsewhere.map(languageName)) })
            : t(`theme.settings.state.${state}`)}
      </p>
      <LanguageChoice {...props} />
      {form.failure && (
        <ErrorPanel title={t('theme.settings.failed')} failure={form.failure} onRetry={form.retry}>
          {Object.entries(form.failure.fields ?? {}).map(([path, error]) => (
            <p key={path}>
              {nameOf(path.replace(/^theme\./, ''))}: {errorText(encodeFieldError(error))}
            </p>
          ))}
        </ErrorPanel>
      )}
      {form.conflicts.length > 0 && (
        <StaleNotice
          differences={form.conflicts.map(({ name, mine, theirs }) => {
            const { setting } = settingOf(name, manifest);
            return {
              label: nameOf(name),
              mine: textOf(setting, mine),
              theirs: textOf(setting, theirs),
            };
          })}
          onKeepMine={form.keepMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
      {groups.map((group) => (
        <SettingGroupFields key={group.title ?? ''} {...props} group={group} />
      ))}
    </form>
  );
}
