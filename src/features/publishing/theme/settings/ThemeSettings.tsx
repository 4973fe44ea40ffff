import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeManifest, ThemeSetting } from '@contract/publishing/theme';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { useTextIn } from '../../useTextIn';
import { groupsOf, valueOf } from './settingModel';
import type { SettingValue } from './settingModel';
import { SettingField } from './SettingField';
import type { ThemeValues } from './useThemeValues';

type Props = { readonly siteId: string; readonly manifest: ThemeManifest; readonly form: ThemeValues; readonly readOnly: boolean };

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

/** The settings that the theme declares, as a form. Changes are saved to the working copy at once; visitors see them after the next release. */
export function ThemeSettings({ siteId, manifest, form, readOnly }: Props): ReactElement {
  const { t, i18n } = useTranslation('publishing');
  const textIn = useTextIn();
  const textOf = useValueText();
  const byKey = new Map(manifest.settings.map((setting) => [setting.key, setting]));
  const groups = groupsOf(manifest, i18n.language);
  const state = form.isSaving ? 'saving' : form.isDirty ? 'invalid' : 'saved';
  if (groups.length === 0) return <EmptyState title={t('theme.settings.none')}>{t('theme.settings.noneText')}</EmptyState>;
  return (
    <form className="theme-settings" aria-label={t('theme.settings.label')} noValidate onSubmit={(event) => event.preventDefault()}>
      <p className="theme-state" role="status" data-state={state}>
        {readOnly ? t('theme.readOnly') : t(`theme.settings.state.${state}`)}
      </p>
      {form.failure && <ErrorPanel title={t('theme.settings.failed')} failure={form.failure} onRetry={form.retry} />}
      {form.conflicts.length > 0 && (
        <StaleNotice
          differences={form.conflicts.map(({ key, mine, theirs }) => ({
            label: textIn(byKey.get(key)?.label) || key,
            mine: textOf(byKey.get(key), mine),
            theirs: textOf(byKey.get(key), theirs),
          }))}
          onKeepMine={form.keepMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
      {groups.map(({ title, settings }) => (
        <fieldset key={title ?? ''} className="theme-group">
          <legend>{title ?? t('theme.settings.other')}</legend>
          {settings.map((setting) => {
            const stored = form.values[setting.key];
            return (
              <SettingField
                key={setting.key}
                siteId={siteId}
                setting={setting}
                value={stored !== undefined && form.isChanged(setting.key) ? stored : valueOf(setting, stored)}
                readOnly={readOnly}
                onChange={(value) => form.change(setting.key, value)}
                onReset={readOnly || stored === undefined || stored === setting.default ? null : () => form.change(setting.key, undefined)}
              />
            );
          })}
        </fieldset>
      ))}
    </form>
  );
}
