import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useDelayed } from '@/lib/useDelayed';
import { isFailure } from '@/lib/failure';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import type { GridViewProps } from './GridView';

/** Shown until the first page is loaded: placeholders of rows, or the error. */
export const GridLoading = ({ state, pages, narrowed, onClear }: Pick<GridViewProps, 'state' | 'pages' | 'narrowed' | 'onClear'>): ReactElement => {
  const { t } = useTranslation('tables');
  const isSlow = useDelayed(state.loading);
  if (state.failure === null)
    return (
      <div className="tables-message" aria-busy="true" style={{ visibility: isSlow ? 'visible' : 'hidden' }}>
        <RowsSkeleton rows={12} />
      </div>
    );
  return (
    <div className="tables-message">
      <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(state.failure) ? state.failure : null} onRetry={pages.refresh}>
        {narrowed && (
          <PlainButton data-quiet="" onClick={onClear}>
            {t('empty.clear')}
          </PlainButton>
        )}
      </ErrorPanel>
    </div>
  );
};

type EmptyProps = Pick<GridViewProps, 'inBin' | 'narrowed' | 'onClear' | 'onImport'> & { readonly mayCreate: boolean };

/** Shown instead of rows where there are none. */
export const GridEmpty = ({ inBin, narrowed, mayCreate, onClear, onImport }: EmptyProps): ReactElement => {
  const { t } = useTranslation('tables');
  if (inBin) return <EmptyState title={t('empty.bin')} />;
  if (narrowed)
    return (
      <EmptyState
        kind="noMatch"
        title={t('empty.noMatch')}
        action={
          <PlainButton data-quiet="" onClick={onClear}>
            {t('empty.clear')}
          </PlainButton>
        }
      >
        {t('empty.noMatchText')}
      </EmptyState>
    );
  return (
    <EmptyState
      ghost="rows"
      title={t('empty.title')}
      action={
        onImport && (
          <PlainButton data-quiet="" onClick={onImport}>
            {t('empty.import')}
          </PlainButton>
        )
      }
    >
      {mayCreate && t('empty.text')}
    </EmptyState>
  );
};
