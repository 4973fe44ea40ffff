import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RulesPreview } from '@contract/tables/access';
import { ruleRoles } from '@contract/tables/terms';
import type { RuleRole } from '@contract/tables/terms';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { language, oneOf, useSearchState } from '@/lib/searchState';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { Segmented } from '@/ui/form/Segmented';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { CellView } from '@/features/tables/fieldTypes/CellView';
import { FieldEnvProvider } from '@/features/tables/fieldTypes/env';
import { Choose } from '@/features/tables/records/parts';
import { useTableEnv } from '@/features/tables/records/useTableEnv';
import { usePreviewRulesQuery } from './adminApi';
import { hasFields } from './rulesDraft';
import { ScrollRegion } from './ScrollRegion';

const address = { as: oneOf(ruleRoles, 'editor'), lang: language() };

type PreviewProps = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly preview: RulesPreview;
};

/** What the role may do, and with how many fields. */
const Permissions = ({ table, preview }: Pick<PreviewProps, 'table' | 'preview'>): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const scopeOf = ({ action, fields, limited }: RulesPreview['may'][number]): string => {
    const some = t('preview.some', { count: fields.length, total: format.number(table.fields.length) });
    const scope = !hasFields(action) ? t('rules.allowed') : fields.length === table.fields.length ? t('preview.all') : some;
    return [scope, ...(limited ? [t('preview.limited')] : [])].join(t('comma'));
  };
  return (
    <dl className="admin-may" aria-label={t('preview.may')}>
      {preview.may.map((entry) => (
        <div key={entry.action}>
          <dt>{t(`action.${entry.action}`)}</dt>
          <dd>{scopeOf(entry)}</dd>
        </div>
      ))}
    </dl>
  );
};

/** The first records, with the fields that the role may read. */
const Records = ({
  site,
  tables,
  fields,
  preview,
}: Pick<PreviewProps, 'site' | 'tables' | 'preview'> & { readonly fields: readonly TableField[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const { rows, labels, total, more } = preview.page;
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels });
  return (
    <FieldEnvProvider value={env}>
      <ScrollRegion label={t('preview.rows', { role: t(`role.${preview.role}`) })}>
        <table className="admin-table admin-seen">
          <thead>
            <tr>
              <th scope="col">{t('preview.number')}</th>
              {fields.map((field) => (
                <th key={field.id} scope="col">
                  {field.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className="admin-number">{format.number(row.n)}</td>
                {fields.map((field) => (
                  <td key={field.id}>
                    <div className="admin-cell">
                      <CellView field={field} value={row.values[field.id]} />
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {total !== null && (
        <p className="admin-note admin-below">
          {t(more ? 'preview.totalMore' : total === rows.length ? 'preview.totalAll' : 'preview.total', {
            count: total,
            total: format.number(total),
            countText: format.number(rows.length),
          })}
        </p>
      )}
    </FieldEnvProvider>
  );
};

/** The table as the role sees it. */
const TableAsRole = ({ site, tables, table, preview }: PreviewProps): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const readable = new Set(preview.may.find(({ action }) => action === 'read')?.fields);
  if (preview.may.length === 0) return <EmptyState kind="noRight" title={t('preview.nothing', { role: t(`role.${preview.role}`) })} />;
  const fields = table.fields.filter(({ id }) => readable.has(id));
  const hidden = table.fields.filter(({ id }) => !readable.has(id));
  return (
    <>
      <Permissions table={table} preview={preview} />
      {hidden.length > 0 && <p className="admin-note">{t('preview.hidden', { fields: hidden.map(({ title }) => title).join(t('comma')) })}</p>}
      {preview.page.rows.length === 0 ? <EmptyState title={t('preview.noRows')} /> : <Records site={site} tables={tables} fields={fields} preview={preview} />}
    </>
  );
};

/** “View as”: how the table looks to one role under the saved rules. */
export const RolePreview = ({
  site,
  tables,
  table,
  unsaved,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly unsaved: boolean;
}): ReactElement => {
  const { t, i18n } = useTranslation('tableAdmin');
  const [at, change] = useSearchState(address);
  const locale = table.locales.includes(at.lang) && at.lang !== table.locales[0] ? at.lang : undefined;
  const result = usePreviewRulesQuery({ siteId: site.id, table: table.id, role: at.as, ...(locale === undefined ? {} : { locale }) });
  return (
    <Section title={t('preview.title')} note={t('preview.note')}>
      <div className="admin-tools">
        <Segmented<RuleRole>
          label={t('preview.role')}
          value={at.as}
          choices={ruleRoles.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChoose={(as) => change({ as }, 'replace')}
        />
        {table.locales.length > 1 && (
          <Choose
            label={t('preview.language')}
            value={locale ?? table.locales[0] ?? ''}
            options={table.locales.map((id) => ({ id, name: languageName(id, i18n.language) }))}
            onChange={(lang) => change({ lang: lang === table.locales[0] ? '' : lang }, 'replace')}
          />
        )}
      </div>
      {unsaved && (
        <p className="admin-note" role="status">
          {t('preview.unsaved')}
        </p>
      )}
      <ResultState result={result} skeleton={<RowsSkeleton rows={5} />}>
        {(preview) => <TableAsRole site={site} tables={tables} table={table} preview={preview} />}
      </ResultState>
    </Section>
  );
};
