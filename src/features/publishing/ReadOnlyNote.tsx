import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

/** Says why nothing can be edited. */
export function ReadOnlyNote(): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <p role="note" className="publishing-note">
      {t('readOnly')}
    </p>
  );
}
