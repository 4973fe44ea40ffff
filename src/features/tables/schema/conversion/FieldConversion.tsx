import { useState } from 'react';
import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import '@/features/tables/parts/design.css';
import { conversionPollMs, useFieldConversionQuery } from './conversionApi';
import { ConversionWizard } from './ConversionWizard';

/** The conversion of a field on a screen other than the designer of fields. */
export const FieldConversion = ({
  site,
  tables,
  table,
  field,
  onClose,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly field: TableField;
  readonly onClose: () => void;
}): ReactElement => {
  const [type, setType] = useState('-');
  const at = { siteId: site.id, table: table.id, field: field.id };
  const isRunning = useFieldConversionQuery(at).currentData?.conversion?.state === 'running';
  const { currentData } = useFieldConversionQuery(at, { pollingInterval: isRunning ? conversionPollMs : 0 });
  return <ConversionWizard site={site} tables={tables} table={table} field={field} type={type} last={currentData} onType={setType} onClose={onClose} />;
};
