import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RulesPreview } from '@contract/tables/access';
import { ruleRoles } from '@contract/tables/terms';
import type { RuleRole } from '@contract/tables/terms';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { language, oneOf, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/store/failure';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Segmented } from '@/ui/form/Segmented';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { CellView } from '../fields/CellView';
import { FieldEnvProvider } from '../fields/env';
import { Choose } from '../records/parts';
import { useTableEnv } from '../records/useTableEnv';
import { usePreviewRulesQuery } from './adminApi';
import { hasFields } from './rulesDraft';
import { Scroll } from './Scroll';

const address = { as: oneOf(ruleRoles, 'editor'), lang: language() };

/** The table in the eyes of one role. */
const Seen = ({
  site,
  tables,
  table,
  role,
  seen,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly role: RuleRole;
  readonly seen: RulesPreview;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const { rows, labels, total, more } = seen.page;
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels });
  const read = useMemo(() => new Set(seen.may.find(({ action }) => action === 'read')?.fields), [seen]);
  const name = t(`role.${role}`);
  if (seen.may.length === 0) return <EmptyState kind="noRight" title={t('preview.nothing', { role: name })} />;
  const fields = table.fields.filter(({ id }) => read.has(id));
  const hidden = table.fields.filter(({ id }) => !read.has(id));
  return (
    <>
      <dl className="admin-may" aria-label={t('preview.may')}>
        {seen.may.map(({ action, fields: covered, limited }) => (
          <div key={action}>
            <dt>{t(`action.${action}`)}</dt>
            <dd>
              {[
                ...(hasFields(action)
                  ? [
                      covered.length === table.fields.length
                        ? t('preview.all')
                        : t('preview.some', { count: covered.length, total: format.number(table.fields.length) }),
                    ]
                  : [t('rules.allowed')]),
                ...(limited ? [t('preview.limited')] : []),
              ].join(t('comma'))}
            </dd>
          </div>
        ))}
      </dl>
      {hidden.length > 0 && <p className="admin-note">{t('preview.hidden', { fields: hidden.map(({ title }) => title).join(t('comma')) })}</p>}
      {rows.length === 0 ? (
        <EmptyState title={t('preview.noRows')} />
      ) : (
        <FieldEnvProvider value={env}>
          <Scroll label={t('preview.rows', { role: name })}>
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
          </Scroll>
          {total !== null && (
            <p className="admin-note admin-below">
              {t(more ? 'preview.totalMore' : 'preview.total', { total: format.number(total), shown: format.number(rows.length) })}
            </p>
          )}
        </FieldEnvProvider>
      )}
    </>
  );
};

/** “View as”: what the saved rules make of the table for one role. */
export const Preview = ({
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
  const answer = usePreviewRulesQuery({ siteId: site.id, table: table.id, role: at.as, ...(locale === undefined ? {} : { locale }) });
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
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={5} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(seen) => <Seen site={site} tables={tables} table={table} role={seen.role} seen={seen} />}
      </AnswerState>
    </Section>
  );
};
