import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShippedTheme } from '@contract/publishing/terms';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { useTextIn } from '../../useTextIn';
import { useShippedThemesQuery } from '../themeApi';
import { themePictures } from './themePictures';

/** The themes that come with the program. */
export function ThemeCards({
  siteId,
  current,
  busy,
  onChoose,
}: {
  readonly siteId: string;
  /** The theme that the site has a copy of; null if it has chosen none of these. */
  readonly current: ShippedTheme | null;
  readonly busy: boolean;
  readonly onChoose: (name: ShippedTheme, title: string) => void;
}): ReactElement {
  const { t, i18n } = useTranslation('publishing');
  const textIn = useTextIn();
  const result = useShippedThemesQuery({ siteId });
  return (
    <ResultState result={result} skeleton={<div className="theme-cards theme-cards-loading" />}>
      {(themes) => (
        <ul className="theme-cards" aria-label={t('theme.choose.list')}>
          {themes.map(({ name, manifest }) => {
            const title = textIn(manifest.name);
            return (
              <li key={name} data-current={name === current}>
                <img src={themePictures[name][i18n.language === 'en' ? 'en' : 'zh']} alt="" width={480} height={300} loading="lazy" />
                <h3>{title}</h3>
                <p>{textIn(manifest.description)}</p>
                <div>
                  {name === current ? (
                    <span className="theme-current">
                      <Icon name="check" size={16} /> {t('theme.choose.current')}
                    </span>
                  ) : (
                    <PlainButton aria-label={t('theme.choose.useNamed', { title })} disabled={busy} onClick={() => onChoose(name, title)}>
                      {t('theme.choose.use')}
                    </PlainButton>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </ResultState>
  );
}
