import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { PlainButton } from '@/ui/PlainButton';

/** Shown for a site without content tables: ways to create the first one, for users who may design. */
export const NoTables = ({
  mayDesign,
  onAdd,
  onFile,
}: {
  readonly mayDesign: boolean;
  readonly onAdd: () => void;
  readonly onFile: () => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  return (
    <EmptyState
      ghost="rows"
      title={t('tables.emptyTitle')}
      action={
        mayDesign && (
          <span className="tables-ways">
            <PlainButton data-primary="" onClick={onAdd}>
              {t('tables.add')}
            </PlainButton>
            <PlainButton data-quiet="" onClick={onFile}>
              {t('add.fromFile')}
            </PlainButton>
          </span>
        )
      }
    >
      {t(mayDesign ? 'tables.emptyText' : 'tables.emptyRead')}
    </EmptyState>
  );
};
