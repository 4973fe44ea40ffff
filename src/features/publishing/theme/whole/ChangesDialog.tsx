import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useThemeChangesQuery } from '../themeApi';
import type { ThemeActions } from './useThemeActions';
import { WholeDialog } from './WholeDialog';

/** The most changes that are listed. */
const most = 100;

/** Changes of the whole theme; it can go back to its state after any of them. */
export function ChangesDialog({
  siteId,
  actions,
  readOnly,
  onClose,
}: {
  readonly siteId: string;
  readonly actions: ThemeActions;
  readonly readOnly: boolean;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const [size, setSize] = useState(20);
  const result = useThemeChangesQuery({ siteId, size });
  return (
    <WholeDialog title={t('theme.changes.title')} width="sm" onClose={onClose}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
        {({ rows, more }) =>
          rows.length === 0 ? (
            <p className="field-note">{t('theme.changes.none')}</p>
          ) : (
            <>
              <ol className="theme-changes" aria-label={t('theme.changes.title')}>
                {rows.map(({ revision, kind, path, files, updatedAt, updatedBy }, index) => {
                  const at = format.dateTime(updatedAt);
                  return (
                    <li key={revision}>
                      <div>
                        <p>{path === null ? t(`theme.changes.kind.${kind}`, { count: files }) : t(`theme.changes.one.${kind}`, { path })}</p>
                        <p className="field-note">
                          {at} · {updatedBy?.name ?? t('theme.history.program')}
                        </p>
                      </div>
                      {index === 0 ? (
                        <span className="theme-current">{t('theme.changes.now')}</span>
                      ) : (
                        !readOnly && (
                          <PlainButton
                            aria-label={t('theme.changes.restoreAt', { at })}
                            disabled={actions.busy}
                            onClick={() => void actions.restore(revision, at).then((isDone) => isDone && onClose())}
                          >
                            {t('theme.changes.restore')}
                          </PlainButton>
                        )
                      )}
                    </li>
                  );
                })}
              </ol>
              {more && size < most && <PlainButton onClick={() => setSize(most)}>{t('theme.changes.more')}</PlainButton>}
            </>
          )
        }
      </ResultState>
    </WholeDialog>
  );
}
