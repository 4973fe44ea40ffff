import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from './PlainButton';

const reload = () => location.reload();

/** A part that failed to load, shown with nothing but what the first load contains. Its button reloads the page unless `onRetry` is set. */
export const PlainFailure = ({ onRetry }: { onRetry?: () => void }): ReactElement => {
  const { t } = useTranslation('shell');
  return (
    <div className="error-panel" role="alert">
      <p>{t('partFailed')}</p>
      <p>{t(onRetry ? 'partRetry' : 'partAdvice')}</p>
      <div className="foot">
        <PlainButton onClick={onRetry ?? reload}>{t('retry')}</PlainButton>
      </div>
    </div>
  );
};
