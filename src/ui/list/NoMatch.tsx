import { Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../EmptyState';

/** No row matches the filters of a list, which `onClear` removes. */
export const NoMatch = ({ title, onClear, children }: { title: ReactNode; onClear: () => void; children?: ReactNode }): ReactElement => {
  const { t } = useTranslation('chart');
  return (
    <EmptyState
      kind="noMatch"
      title={title}
      action={
        <Button variant="outlined" onClick={onClear}>
          {t('list.clear')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
};
