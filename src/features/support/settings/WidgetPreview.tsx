import { useState } from 'react';
import type { ReactElement } from 'react';
import type { Control } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { textColorOn } from '@contract/support/terms';
import { Toggles } from '@/ui/Toggles';
import type { SettingsInput } from './settingsInput';

/** The widget as visitors will see it, drawn from what is typed. `language`: of the texts. */
export function WidgetPreview({
  control,
  language,
  siteName,
}: {
  readonly control: Control<SettingsInput, unknown, SettingsInput>;
  readonly language: string;
  readonly siteName: string;
}): ReactElement {
  const { t } = useTranslation('support');
  const [state, setState] = useState<'open' | 'away'>('open');
  const [brand, texts, awayPolicy] = useWatch({ control, name: ['brand', 'texts', 'awayPolicy'] });
  const own = texts[language];
  const color = /^#[0-9a-f]{6}$/i.test(brand.color) ? brand.color : '#1f6feb';
  const on = { background: color, color: textColorOn(color) };
  const say = (name: 'title' | 'greeting' | 'launcher' | 'offlineTitle' | 'offlineText', otherwise: string): string =>
    own?.[name] === undefined || own[name] === '' ? otherwise : own[name];
  const away = state === 'away';
  return (
    <aside className="support-preview" aria-label={t('preview.label')}>
      <Toggles
        label={t('preview.state')}
        value={state}
        choices={[
          { value: 'open', label: t('preview.open') },
          { value: 'away', label: t('preview.away') },
        ]}
        onChoose={setState}
      />
      <div className="support-preview-page" data-side={brand.side}>
        {away && awayPolicy === 'hide' ? (
          <p className="support-quiet">{t('preview.hidden')}</p>
        ) : (
          <>
            <div className="support-preview-window" lang={language}>
              <div style={on}>
                <b>{brand.name === '' ? siteName : brand.name}</b>
                <small>{away ? t('preview.default.away') : `${say('title', t('preview.default.title'))} · ${t('preview.default.open')}`}</small>
              </div>
              <p>
                {away && awayPolicy === 'form' && <b>{say('offlineTitle', t('preview.default.offlineTitle'))}</b>}
                {away
                  ? say('offlineText', t(awayPolicy === 'notice' ? 'preview.default.awayNotice' : 'preview.default.offlineText'))
                  : say('greeting', t('preview.default.greeting'))}
              </p>
              {away && awayPolicy === 'form' ? (
                <span aria-hidden="true" className="support-preview-form">
                  <i />
                  <i />
                  <em style={on}>{t('preview.send')}</em>
                </span>
              ) : (
                <span aria-hidden="true" className="support-preview-input">
                  {t('preview.type')}
                </span>
              )}
            </div>
            <span className="support-preview-launcher" style={on}>
              {say('launcher', t('preview.default.launcher'))}
            </span>
          </>
        )}
      </div>
    </aside>
  );
}
