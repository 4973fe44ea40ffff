import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExtractionResult } from '@contract/crawler/schemas';
import type { RenderMode } from '@contract/crawler/terms';
import { DataTable } from '@/ui/DataTable';
import { useValueText } from '../valueText';
import type { ExtractionRule } from './draft';

type Props = { readonly result: ExtractionResult; readonly columns: ExtractionRule['columns']; readonly render: RenderMode };

/** The rows that an extraction read from one page, and how the page was read. */
export function ExtractedRows({ result, columns, render }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const valueText = useValueText();
  const rows = result.rows.map((values, at) => ({ id: String(at), values }));
  return (
    <div role="status">
      <p>
        {t('extraction.found', { count: result.total })} {!result.applies && t('extraction.notApplied')}{' '}
        {result.problems.length > 0 && t('extraction.missing', { columns: result.problems.join(', ') })}
      </p>
      {render !== 'off' && <p>{t(`extraction.readAs.${result.reading}`)}</p>}
      {rows.length > 0 && (
        <DataTable
          label={t('extraction.preview')}
          dense
          columns={columns.map(({ name }) => ({
            id: name,
            name,
            cell: ({ values }: (typeof rows)[number]) => valueText(values[name] ?? null),
            minWidth: 100,
          }))}
          rows={rows}
          rowKey={({ id }) => id}
        />
      )}
    </div>
  );
}
