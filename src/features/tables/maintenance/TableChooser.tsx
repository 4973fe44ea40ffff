import { Button } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { text, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import { Choose } from '@/features/tables/records/parts';

/** By id, key or alias, as links may use any of them. */
const address = { table: text('', 64) };

/** A chooser of the table that the content is about. The choice is part of the URL; the default is the first table. */
export const TableChooser = ({
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
  const [{ table: chosen }, change] = useSearchState(address);
  const table = chosen === '' ? tables[0] : tables.find((one) => one.id === chosen || one.key === chosen || one.aliases.includes(chosen));
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
