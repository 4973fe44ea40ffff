import { OutlinedInput } from '@mui/material';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { useRemembered } from '@/lib/useRemembered';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { Toggles } from '@/ui/Toggles';
import { usePreviewAddressQuery } from '../themeApi';
import { PreviewFrame, previewWidths } from './PreviewFrame';
import type { PreviewWidth } from './PreviewFrame';
import { typedPath } from './previewAddresses';

/** Texts as they are, or longer and accented where they can be translated. */
const texts = ['real', 'pseudo'] as const;
const widths = Object.keys(previewWidths) as readonly PreviewWidth[];

/** The page to preview: one of the site's addresses, or a typed one. */
function PathField({
  path,
  paths,
  onPath,
}: {
  readonly path: string;
  readonly paths: readonly string[];
  readonly onPath: (path: string) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const listId = useId();
  const [typed, setTyped] = useState(path);
  const go = (text: string): void => {
    const next = typedPath(text);
    setTyped(next);
    if (next !== path) onPath(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    go(typed);
  };
  return (
    <>
      <OutlinedInput
        size="small"
        value={typed}
        className="theme-path"
        inputProps={{ 'aria-label': t('theme.preview.path'), list: listId, spellCheck: false, autoCapitalize: 'off', maxLength: 500 }}
        onChange={({ target }) => (paths.includes(target.value) ? go(target.value) : setTyped(target.value))}
        onKeyDown={onKeyDown}
        onBlur={() => go(typed)}
      />
      <datalist id={listId}>
        {paths.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** Seconds for which the address of a preview works: longer than a day's work on a theme. */
const expiresIn = 86_400;

/** Any page of the working copy, at the width of a phone, a tablet or a desktop. It loads again when `version` changes. */
export function PreviewPane({
  siteId,
  paths,
  prefix,
  version,
}: {
  readonly siteId: string;
  /** Addresses of the site. Without any, there are no pages yet. */
  readonly paths: readonly string[];
  /** Beginning of the paths of the language whose texts are edited; empty for the default one. */
  readonly prefix: string;
  readonly version: string;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const [path, setPath] = useState(paths[0] ?? '/');
  const [width, setWidth] = useRemembered('theme-preview', widths, 'desktop');
  const [isPseudo, setPseudo] = useState(false);
  const [reloads, setReloads] = useState(0);
  const result = usePreviewAddressQuery({ siteId, body: { expiresIn } });
  const addressOf = (preview: { readonly address: string; readonly pseudoAddress: string }): string =>
    `${(isPseudo ? preview.pseudoAddress : preview.address).replace(/\/$/, '')}${path === '/' && prefix !== '' ? prefix : `${prefix}${path}`}`;
  return (
    <section className="theme-preview" aria-label={t('theme.preview.label')}>
      <div className="theme-preview-bar">
        <PathField path={path} paths={paths} onPath={setPath} />
        <Toggles
          label={t('theme.preview.width')}
          value={width}
          choices={widths.map((one) => ({ value: one, label: t(`theme.preview.${one}`) }))}
          onChoose={setWidth}
        />
        <Toggles
          label={t('theme.preview.texts')}
          value={isPseudo ? 'pseudo' : 'real'}
          choices={texts.map((one) => ({ value: one, label: t(`theme.preview.${one}`) }))}
          onChoose={(one) => setPseudo(one === 'pseudo')}
        />
        <IconButton
          label={t('theme.preview.reload')}
          onClick={() => {
            setReloads((count) => count + 1);
            // A link that has expired is replaced.
            void result.refetch();
          }}
        >
          <Icon name="refresh" />
        </IconButton>
        {result.currentData && (
          <a
            className="text-link"
            href={addressOf(result.currentData)}
            target="_blank"
            rel="noreferrer"
            aria-label={t('theme.preview.open')}
            title={t('theme.preview.open')}
          >
            {t('theme.preview.openShort')}
          </a>
        )}
      </div>
      {isPseudo && <p className="field-note">{t('theme.preview.pseudoNote')}</p>}
      {paths.length === 0 && (
        <p className="field-note">
          {t('theme.preview.noPages')}{' '}
          <Link className="text-link in-text" to={href('site.setting.base.menus', { siteId })}>
            {t('theme.preview.addPages')}
          </Link>
        </p>
      )}
      <ResultState result={result} skeleton={<div className="theme-frame" />}>
        {(preview) => <PreviewFrame address={addressOf(preview)} version={`${version}.${String(reloads)}`} width={width} />}
      </ResultState>
    </section>
  );
}
