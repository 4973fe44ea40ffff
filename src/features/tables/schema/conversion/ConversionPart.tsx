import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { canConvertFrom } from '@contract/tables/fieldTypes';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { text, useSearchState } from '@/lib/searchState';
import { FieldIcon } from '@/features/tables/records/icons';
import { conversionPollMs, useFieldConversionQuery } from './conversionApi';
import { ConversionWizard } from './ConversionWizard';
import { ConversionStatus } from './ConversionStatus';
import './conversion.css';

/** `convert`: the target type of the conversion; `-` while none is chosen. */
const address = { convert: text('', 20) };

/** The type of a field and its conversion: starting one, the result of the last one, and reverting it. */
export const ConversionPart = ({
  site,
  tables,
  table,
  field,
  mayDesign,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly field: TableField;
  readonly mayDesign: boolean;
}): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const [{ convert }, change] = useSearchState(address);
  const at = { siteId: site.id, table: table.id, field: field.id };
  const first = useFieldConversionQuery(at, { skip: !mayDesign });
  const running = first.currentData?.conversion?.state === 'running';
  // Polled while it is running; a live update reports its end.
  const result = useFieldConversionQuery(at, { skip: !mayDesign, pollingInterval: running ? conversionPollMs : 0 });
  const last = result.currentData;
  const conversion = last?.conversion ?? null;
  const visibleConversion =
    conversion && conversion.state !== 'purged' && (running || conversion.state !== 'done' || conversion.undoes || last?.undoable) ? conversion : null;
  return (
    <section aria-label={t('tableDesign:edit.typeLabel')}>
      <h3>{t('tableDesign:edit.typeLabel')}</h3>
      <div className="convert-arrow">
        <span>
          <FieldIcon column={{ field }} /> {t(`tableDesign:type.${field.type}`)}
        </span>
        {mayDesign && canConvertFrom(field.type) && !running && (
          <Button variant="outlined" onClick={() => change({ convert: '-' })}>
            {t('start')}
          </Button>
        )}
      </div>
      {visibleConversion && <ConversionStatus site={site} table={table} field={field} conversion={visibleConversion} undoable={last?.undoable ?? null} />}
      {mayDesign && convert !== '' && canConvertFrom(field.type) && (
        <ConversionWizard
          site={site}
          tables={tables}
          table={table}
          field={field}
          type={convert}
          last={last}
          onType={(type) => change({ convert: type })}
          onClose={() => change({ convert: '' })}
        />
      )}
    </section>
  );
};
