import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFieldUsageQuery } from '@/features/tables/parts/designApi';

/** What uses a field: views, formulas, inverse fields, rules, pages; with links to each. */
export const FieldUsagePart = ({ site, table, field }: { readonly site: Site; readonly table: ContentTable; readonly field: TableField }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const usage = useFieldUsageQuery({ siteId: site.id, table: table.id, field: field.id }, { refetchOnMountOrArgChange: true });
  const used = usage.currentData;
  const params = { siteId: site.id };
  const toOf = (one: NonNullable<typeof used>[number]): string | null => {
    if (one.kind === 'view') return `${href('site.table.records', params)}?table=${table.id}&view=${one.id}`;
    if (one.kind === 'pages') return href('site.table.schemas', params);
    return one.id.startsWith('f_') && one.tableId !== null ? `${href('site.table.fields', params)}?table=${one.tableId}&field=${one.id}` : null;
  };
  return (
    <section aria-label={t('usage.title')}>
      <h3>{t('usage.title')}</h3>
      {isFailure(usage.error) && <ErrorPanel failure={usage.error} onRetry={() => void usage.refetch()} retrying={usage.isFetching} />}
      {!used && usage.isFetching && (
        <p className="design-quiet" role="status">
          {t('usage.checking')}
        </p>
      )}
      {used?.length === 0 && <p className="design-quiet">{t('usage.none')}</p>}
      {used && used.length > 0 && (
        <ul className="convert-uses">
          {used.map((one) => {
            const to = toOf(one);
            return (
              <li key={`${one.kind}${one.id}`}>
                <span className="design-quiet">{t(`tableDesign:remove.kind.${one.kind}`)}</span>
                {to === null ? <b>{one.name}</b> : <Link to={to}>{one.name}</Link>}
                <span />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
};
