import { NativeSelect, OutlinedInput } from '@mui/material';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeFile } from '@contract/publishing/themeFiles';
import { foldersOf, nameIn } from './fileTree';

type Props = {
  readonly files: readonly ThemeFile[];
  /** Files of the shipped theme that this one lacks. */
  readonly missing: readonly string[];
  readonly current: string;
  readonly edited: readonly string[];
  /** Number of errors by path. */
  readonly problems: ReadonlyMap<string, number>;
  readonly onOpen: (path: string) => void;
};

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const places = [...(event.currentTarget.closest('nav')?.querySelectorAll<HTMLElement>('summary, details[open] button') ?? [])];
  const at = places.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  places[at + step]?.focus();
}

/** Marks of a file: unsaved, wrong, different from the shipped one. Each has a text for those who do not see it. */
function FileMarks({
  isEdited,
  errors,
  shipped,
}: {
  readonly isEdited: boolean;
  readonly errors: number;
  readonly shipped: ThemeFile['shipped'];
}): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <>
      {errors > 0 && (
        <span className="theme-mark" data-tone="bad" title={t('theme.files.errors', { count: errors })}>
          {errors}
          <span className="only-read">{t('theme.files.errors', { count: errors })}</span>
        </span>
      )}
      {(shipped === 'changed' || shipped === 'added') && (
        <span className="theme-mark" data-tone="info" title={t(`theme.files.${shipped}`)}>
          <span aria-hidden="true">{shipped === 'changed' ? 'M' : 'A'}</span>
          <span className="only-read">{t(`theme.files.${shipped}`)}</span>
        </span>
      )}
      {isEdited && (
        <span className="theme-mark" title={t('theme.files.unsaved')}>
          <span aria-hidden="true">•</span>
          <span className="only-read">{t('theme.files.unsaved')}</span>
        </span>
      )}
    </>
  );
}

/** The files of a theme by folder. */
export function FileTree({ files, missing, current, edited, problems, onOpen }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <nav className="theme-tree" aria-label={t('theme.files.tree')}>
      {foldersOf(files).map(({ name, files: inFolder }) => (
        <details key={name} open>
          <summary onKeyDown={moveFocus}>{name === '' ? t('theme.files.top') : name}</summary>
          <ul>
            {inFolder.map(({ path, shipped }) => (
              <li key={path}>
                <button type="button" title={path} aria-current={path === current ? 'true' : undefined} onKeyDown={moveFocus} onClick={() => onOpen(path)}>
                  <span className="one-line">{nameIn(path)}</span>
                  <FileMarks isEdited={edited.includes(path)} errors={problems.get(path) ?? 0} shipped={shipped} />
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {missing.length > 0 && (
        <details>
          <summary onKeyDown={moveFocus}>{t('theme.files.missing')}</summary>
          <ul>
            {missing.map((path) => (
              <li key={path}>
                <button type="button" title={path} aria-current={path === current ? 'true' : undefined} onKeyDown={moveFocus} onClick={() => onOpen(path)}>
                  <span className="one-line">{path}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

/** The same on a phone, as a list to choose from. */
export function FileSelect({ files, missing, current, edited, problems, onOpen }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const textOf = (path: string): string => {
    const marks = [edited.includes(path) && t('theme.files.unsaved'), problems.has(path) && t('theme.files.errors', { count: problems.get(path) ?? 0 })];
    return [nameIn(path), ...marks.filter((mark) => mark !== false)].join(' · ');
  };
  return (
    <NativeSelect
      className="theme-file-select"
      value={current}
      onChange={({ target }) => onOpen(target.value)}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': t('theme.files.tree') }}
    >
      {foldersOf(files).map(({ name, files: inFolder }) => (
        <optgroup key={name} label={name === '' ? t('theme.files.top') : name}>
          {inFolder.map(({ path }) => (
            <option key={path} value={path}>
              {textOf(path)}
            </option>
          ))}
        </optgroup>
      ))}
      {missing.length > 0 && (
        <optgroup label={t('theme.files.missing')}>
          {missing.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  );
}
