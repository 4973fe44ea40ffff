import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useThemeFileDifferenceQuery } from '../themeApi';
import { LazyCodeDifference } from './lazyCode';

/** A file beside the one of the shipped theme. */
export function FileShipped({
  siteId,
  path,
  text,
  onUse,
}: {
  readonly siteId: string;
  readonly path: string;
  /** What the editor contains; null if the theme has no such file. */
  readonly text: string | null;
  /** Puts the shipped text into the editor or, for a missing file, adds it; null if the person may not. */
  readonly onUse: ((shipped: string) => void) | null;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const result = useThemeFileDifferenceQuery({ siteId, path });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {({ shipped, own }) => {
        const current = text ?? own ?? '';
        if (shipped === null) return <p className="field-note">{t('theme.shipped.none')}</p>;
        if (text !== null && shipped === current) return <p className="field-note">{t('theme.shipped.same')}</p>;
        return (
          <div className="theme-history-version">
            {onUse !== null && <PlainButton onClick={() => onUse(shipped)}>{t(text === null ? 'theme.shipped.add' : 'theme.shipped.use')}</PlainButton>}
            <LazyCodeDifference
              path={path}
              before={{ label: t('theme.shipped.shipped'), text: shipped }}
              after={{ label: t('theme.shipped.own'), text: current }}
            />
          </div>
        );
      }}
    </ResultState>
  );
}
