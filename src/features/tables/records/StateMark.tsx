import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordState } from '@contract/tables/terms';
import type { CellViewProps } from '../grid/types';

const tone: Record<RecordState, string> = { draft: 'var(--n-5)', published: 'var(--good)', changed: 'var(--warning)' };

/** Draft, published, or published with unpublished changes: a dot with its label. */
export const StateMark = ({ value }: Pick<CellViewProps, 'value'>): ReactElement | null => {
  const { t } = useTranslation('tables');
  if (value !== 'draft' && value !== 'published' && value !== 'changed') return null;
  return (
    <span className="tables-state">
      <i aria-hidden="true" style={{ background: tone[value] }} />
      {t(`state.${value}`)}
    </span>
  );
};
