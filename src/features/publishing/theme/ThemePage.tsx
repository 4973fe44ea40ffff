import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { tagsOf } from '@contract/languages/tags';
import type { SiteParts } from '@contract/publishing/schemas';
import type { Theme } from '@contract/publishing/themeFiles';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { useSearchState } from '@/lib/searchState';
import { narrowScreen, phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { EmptyState } from '@/ui/EmptyState';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { useSitePartsQuery } from '../publishingApi';
import { ThemeFiles } from './files/ThemeFiles';
import { useOpenFiles } from './files/useOpenFiles';
import { previewPaths, previewPrefix } from './preview/previewAddresses';
import { PreviewPane } from './preview/PreviewPane';
import { problemOf } from './settings/settingModel';
import type { SettingValue } from './settings/settingModel';
import { settingOf } from './settings/settingNames';
import type { SettingScope } from './settings/settingNames';
import { ThemeSettings } from './settings/ThemeSettings';
import { useThemeValues } from './settings/useThemeValues';
import { useThemeQuery } from './themeApi';
import { themeAddress } from './themeAddress';
import { ThemeBar } from './whole/ThemeBar';
import { ThemeCards } from './whole/ThemeCards';
import { useThemeActions } from './whole/useThemeActions';
import './theme.css';

type WorkProps = { readonly site: Site; readonly theme: Theme; readonly parts: SiteParts };

/** Whether a value can be stored; values of settings that the theme no longer has stay as they are. */
function isValidIn(scope: SettingScope, name: string, value: SettingValue | undefined): boolean {
  const { setting } = settingOf(name, scope);
  return setting === undefined || value === undefined || problemOf(setting, value) === null;
}

function ThemeWork({ site, theme, parts }: WorkProps): ReactElement {
  const { t } = useTranslation('publishing');
  const [address, changeAddress] = useSearchState(themeAddress);
  const isPhone = useMedia(phone);
  const isNarrow = useMedia(narrowScreen);
  const [beside, setBeside] = useRemembered('theme-beside', ['on', 'off'], 'on');
  const readOnly = !mayOnSite(site.role, 'site.compose');
  const languages = tagsOf(parts.languages.content);
  const tag = languages.find((one) => one === address.tag) ?? languages[0] ?? site.defaultLang;
  const scope: SettingScope = { settings: theme.manifest?.settings ?? [], languages };
  const values = useThemeValues(site.id, parts, scope, (name, value) => isValidIn(scope, name, value));
  const open = useOpenFiles(site.id);
  const actions = useThemeActions(site.id, theme, open);
  const blocker = useUnsavedWork(values.isDirty || open.edited.length > 0);
  // A window without space for two panes has a preview of its own.
  const hasOwnPreview = isPhone || isNarrow;
  const view = address.view === 'preview' && !hasOwnPreview ? 'settings' : address.view;
  const hasPreview = hasOwnPreview ? view === 'preview' : view === 'settings' || beside === 'on';
  const views = hasOwnPreview ? (['settings', 'files', 'preview'] as const) : (['settings', 'files'] as const);
  const noPreview = readOnly ? 'noRight' : site.purpose === 'built' ? null : 'external';
  const { manifest } = theme;
  return (
    <>
      <ThemeBar siteId={site.id} theme={theme} actions={actions} edited={open.edited.length} readOnly={readOnly} />
      {theme.revision === 0 && !readOnly && (
        <section className="theme-first" aria-label={t('theme.choose.title')}>
          <ThemeCards siteId={site.id} current={null} busy={actions.busy} onChoose={(name, title) => void actions.install(name, title)} />
        </section>
      )}
      <div className="theme-views">
        <Toggles
          label={t('theme.view.label')}
          value={view}
          choices={views.map((one) => ({ value: one, label: t(`theme.view.${one}`) }))}
          onChoose={(next) => changeAddress({ view: next })}
        />
        {view === 'files' && !hasOwnPreview && (
          <PlainButton data-quiet="" aria-pressed={beside === 'on'} onClick={() => setBeside(beside === 'on' ? 'off' : 'on')}>
            {t(beside === 'on' ? 'theme.preview.hide' : 'theme.preview.show')}
          </PlainButton>
        )}
      </div>
      <div className="theme-work" data-view={view} data-preview={hasPreview}>
        <div hidden={view !== 'settings'} className="theme-pane">
          {manifest === null ? (
            <EmptyState
              title={t('theme.settings.noManifest')}
              action={<PlainButton onClick={() => changeAddress({ view: 'files', file: 'theme.json' })}>{t('theme.settings.openManifest')}</PlainButton>}
            />
          ) : (
            <ThemeSettings
              siteId={site.id}
              manifest={manifest}
              form={values}
              languages={parts.languages.content}
              tag={tag}
              readOnly={readOnly}
              onTag={(next) => changeAddress({ tag: next === languages[0] ? '' : next }, 'replace')}
            />
          )}
        </div>
        {view === 'files' && <ThemeFiles siteId={site.id} theme={theme} address={address} open={open} readOnly={readOnly} onAddress={changeAddress} />}
        {hasPreview && noPreview !== null && <EmptyState kind={noPreview === 'noRight' ? 'noRight' : 'none'} title={t(`theme.preview.${noPreview}`)} />}
        {hasPreview && noPreview === null && (
          <PreviewPane
            siteId={site.id}
            paths={previewPaths(parts)}
            prefix={tag === languages[0] ? '' : previewPrefix(parts, tag)}
            version={[theme.revision, ...Object.values(parts).map(({ revision }) => revision)].join('-')}
          />
        )}
      </div>
      <LeaveDialog blocker={blocker} />
    </>
  );
}

/** The theme of a site: which one it is, its settings as a form, its files in an editor, and a preview of any page beside them. */
export function ThemePage({ site }: { readonly site: Site }): ReactElement {
  const theme = useThemeQuery({ siteId: site.id });
  const parts = useSitePartsQuery({ siteId: site.id });
  return (
    <ResultState result={theme} skeleton={<RowsSkeleton rows={10} />}>
      {(loaded) => (
        <ResultState result={parts} skeleton={<RowsSkeleton rows={10} />}>
          {(working) => <ThemeWork site={site} theme={loaded} parts={working} />}
        </ResultState>
      )}
    </ResultState>
  );
}
