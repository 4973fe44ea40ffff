import { Button } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { text, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import { Choose } from '../records/parts';

/** By id, key or an old key, as a link may have it. */
const address = { table: text('', 64) };

/** What is about one table: which one stands in the address; the first when none does. */
export const OneTable = ({
  siteId,
  tables,
  children,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly children: (table: ContentTable) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const id = useId();
  const [{ table: wanted }, change] = useSearchState(address);
  const table = wanted === '' ? tables[0] : tables.find((one) => one.id === wanted || one.key === wanted || one.aliases.includes(wanted));
  if (tables.length === 0)
    return (
      <EmptyState
        title={t('noTables')}
        action={
          <Button variant="contained" component={Link} to={`${href('site.table.schemas', { siteId })}?show=new`}>
            {t('toSchemas')}
          </Button>
        }
      >
        {t('noTablesText')}
      </EmptyState>
    );
  if (!table) return <EmptyState title={t('tableGone')} action={<Button onClick={() => change({ table: '' })}>{t('toFirst')}</Button>} />;
  return (
    <>
      <div className="admin-choose">
        <label htmlFor={id}>{t('table')}</label>
        <Choose
          id={id}
          label={t('table')}
          value={table.id}
          options={tables.map((one) => ({ id: one.id, name: one.title }))}
          onChange={(next) => change({ table: next })}
        />
      </div>
      {children(table)}
    </>
  );
};
