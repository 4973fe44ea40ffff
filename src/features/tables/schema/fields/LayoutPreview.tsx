import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutOf, placedIn } from '@contract/tables/formLayout';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, FormLayout } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';
import { withMessages } from '@/i18n';
import { Bone } from '@/ui/skeletons';
import { FieldEnvProvider } from '@/features/tables/fieldTypes/env';
import { FormSections } from '@/features/tables/parts/FormSections';
import { useTableEnv } from '@/features/tables/records/useTableEnv';

/** Loaded with its messages, which this screen does not need otherwise. */
const RecordField = lazy(async () => {
  const part = await withMessages(import(/* webpackChunkName: "record" */ '@/features/tables/record/RecordField'), ['tableRecord']);
  return { default: part.RecordField };
});
const nobody = { records: {}, people: {} };
const nothing = (): void => undefined;

/** The form as a record with default values would show it. Sections collapse and tabs switch, but nothing can be typed. */
export const LayoutPreview = ({
  site,
  tables,
  table,
  layout,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly layout: FormLayout;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels: nobody });
  const placed = placedIn(layout);
  const isAside = ({ id, hidden }: { id: string; hidden: boolean }): boolean => hidden && !placed.has(id) && !layout.hidden.includes(id);
  const form = layoutOf(
    { layout },
    table.fields.filter((field) => !isAside(field)),
  );
  const aside = table.fields.filter(isAside).length;
  return (
    <FieldEnvProvider value={env}>
      <FormSections form={form} faulty={() => false} reveal={0}>
        {(field) => (
          <div inert>
            <Suspense fallback={<Bone h={60} />}>
              <RecordField
                field={field}
                name={`preview-${field.id}`}
                value={field.default?.kind === 'value' ? field.default.value : null}
                storedValue={null}
                language={null}
                required={field.required}
                typed={!isComputed(field.type) && field.type !== 'inverse' && !field.readonly}
                error={undefined}
                theirs={undefined}
                who={[]}
                onChange={nothing}
                onFocus={nothing}
              />
            </Suspense>
          </div>
        )}
      </FormSections>
      {aside > 0 && (
        <p className="design-quiet" style={{ marginTop: 16 }}>
          {t('layout.previewHidden', { count: aside })}
        </p>
      )}
    </FieldEnvProvider>
  );
};
