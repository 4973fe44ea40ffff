import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Theme } from '@contract/publishing/themeFiles';
import { PlainButton } from '@/ui/PlainButton';
import { useTextIn } from '../../useTextIn';
import { zipAddress } from '../themeApi';
import { ChangesDialog } from './ChangesDialog';
import { ImportDialog } from './ImportDialog';
import { ThemeCards } from './ThemeCards';
import type { ThemeActions } from './useThemeActions';
import { WholeDialog } from './WholeDialog';

type Props = {
  readonly siteId: string;
  readonly theme: Theme;
  readonly actions: ThemeActions;
  /** Number of files with unsaved text. */
  readonly edited: number;
  readonly readOnly: boolean;
};

/** Which theme a site has, and what can be done with it as a whole. */
export function ThemeBar({ siteId, theme, actions, edited, readOnly }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const [dialog, setDialog] = useState<'choose' | 'import' | 'changes' | null>(null);
  const { manifest, base, shippedVersion } = theme;
  const close = (): void => setDialog(null);
  const hasNewer = base !== null && manifest !== null && shippedVersion !== null && shippedVersion !== manifest.version;
  return (
    <>
      <div className="theme-bar">
        <div>
          <h2>{manifest === null ? t('theme.bar.unnamed') : textIn(manifest.name)}</h2>
          <p className="field-note">
            {manifest !== null && t('theme.bar.version', { version: manifest.version })}
            {theme.revision === 0 && ` · ${t('theme.bar.notChosen')}`}
            {base === null && ` · ${t('theme.bar.imported')}`}
            {hasNewer && ` · ${t('theme.bar.newer', { version: shippedVersion })}`}
          </p>
        </div>
        <div className="theme-bar-actions">
          {!readOnly && <PlainButton onClick={() => setDialog('choose')}>{t('theme.bar.change')}</PlainButton>}
          <PlainButton onClick={() => setDialog('changes')}>{t('theme.bar.changes')}</PlainButton>
          {!readOnly && <PlainButton onClick={() => setDialog('import')}>{t('theme.bar.import')}</PlainButton>}
          <a className="plain-button" href={zipAddress(siteId)} download>
            {t('theme.bar.export')}
          </a>
        </div>
      </div>
      {dialog === 'choose' && (
        <WholeDialog title={t('theme.choose.title')} width="lg" onClose={close}>
          <ThemeCards
            siteId={siteId}
            current={theme.revision === 0 ? null : base}
            busy={actions.busy}
            onChoose={(name, title) => void actions.install(name, title).then((isDone) => isDone && close())}
          />
        </WholeDialog>
      )}
      {dialog === 'import' && <ImportDialog actions={actions} edited={edited} onClose={close} />}
      {dialog === 'changes' && <ChangesDialog siteId={siteId} actions={actions} readOnly={readOnly} onClose={close} />}
    </>
  );
}
