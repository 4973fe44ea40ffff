import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useThemeFileQuery, useThemeFileVersionsQuery } from '../themeApi';
import type { FileVersion } from '../themeApi';
import { PlainButton } from '@/ui/PlainButton';
import { LazyCodeDifference } from './lazyCode';

type Props = {
  readonly siteId: string;
  readonly path: string;
  /** What the editor contains; null if the file no longer exists or is no text. */
  readonly text: string | null;
  /** Null if the person may not change the theme. */
  readonly onRestore: ((revision: number) => void) | null;
};

function VersionDifference({ siteId, path, text, version }: Omit<Props, 'onRestore'> & { readonly version: FileVersion }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const result = useThemeFileQuery({ siteId, path, revision: version.revision });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {({ content }) =>
        content === null || text === null ? (
          <p className="field-note">{t('theme.files.noText')}</p>
        ) : (
          <LazyCodeDifference
            path={path}
            before={{ label: t('theme.history.version', { at: format.dateTime(version.updatedAt) }), text: content }}
            after={{ label: t('theme.history.now'), text }}
          />
        )
      }
    </ResultState>
  );
}

/** Versions of a file, each compared with what the editor contains. */
export function FileHistory({ siteId, path, text, onRestore }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const result = useThemeFileVersionsQuery({ siteId, path });
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(versions) => {
        const readable = versions.filter(({ removed }) => !removed);
        const version = readable.find(({ revision }) => revision === chosen) ?? readable[1] ?? readable[0];
        if (!version) return <p className="field-note">{t('theme.history.none')}</p>;
        return (
          <div className="theme-history">
            <ol className="theme-versions" aria-label={t('theme.history.label')}>
              {versions.map((one) => (
                <li key={one.revision}>
                  <button type="button" aria-pressed={one.revision === version.revision} disabled={one.removed} onClick={() => setChosen(one.revision)}>
                    <span>{format.dateTime(one.updatedAt)}</span>
                    <span>
                      {one.updatedBy?.name ?? t('theme.history.program')}
                      {one.removed && ` · ${t('theme.history.removed')}`}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
            <div className="theme-history-version">
              {onRestore !== null && version.revision !== versions[0]?.revision && (
                <PlainButton onClick={() => onRestore(version.revision)}>{t('theme.history.restore')}</PlainButton>
              )}
              <VersionDifference siteId={siteId} path={path} text={text} version={version} />
            </div>
          </div>
        );
      }}
    </ResultState>
  );
}
