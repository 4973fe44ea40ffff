import { Alert, AlertTitle, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useThemeFileQuery } from '../themeApi';
import type { FileContent } from '../themeApi';
import { LazyCodeDifference } from './lazyCode';

/** Somebody else saved the file that is being edited: both versions, and which one stays. */
export function FileConflict({
  siteId,
  path,
  revision,
  mine,
  onKeepMine,
  onTakeTheirs,
}: {
  readonly siteId: string;
  readonly path: string;
  /** Of the version that was saved meanwhile. */
  readonly revision: number;
  readonly mine: string;
  readonly onKeepMine: (theirs: FileContent) => void;
  readonly onTakeTheirs: (theirs: FileContent) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const result = useThemeFileQuery({ siteId, path, revision });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(theirs) => (
        <div className="theme-history-version">
          <Alert severity="warning" variant="outlined">
            <AlertTitle>{t('theme.conflict.title')}</AlertTitle>
            {t('theme.conflict.text')}
            <div className="theme-actions">
              <Button variant="outlined" color="inherit" onClick={() => onKeepMine(theirs)}>
                {t('theme.conflict.keepMine')}
              </Button>
              <Button color="inherit" onClick={() => onTakeTheirs(theirs)}>
                {t('theme.conflict.takeTheirs')}
              </Button>
            </div>
          </Alert>
          {theirs.content !== null && (
            <LazyCodeDifference
              path={path}
              before={{ label: t('theme.conflict.theirs'), text: theirs.content }}
              after={{ label: t('theme.conflict.mine'), text: mine }}
            />
          )}
        </div>
      )}
    </ResultState>
  );
}
