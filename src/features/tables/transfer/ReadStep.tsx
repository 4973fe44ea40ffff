import { Alert, Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { delimiters, textEncodings, transferFormats } from '@contract/tables/transfers';
import type { ImportLook, ReadOptions } from '@contract/tables/transfers';
import { ChooseLine } from '../parts/controls';
import { delimiterNames } from './delimiterNames';
import type { Mapping } from './mapping';
import { FlexibleSpace, StepFrame } from './StepFrame';

/** Number of lines offered as the header line. */
const headerLines = 20;

/** The first rows of the file, as text. */
const FirstRows = ({ look, busy }: { readonly look: ImportLook; readonly busy: boolean }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    // Scrollable, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="transfer-scroll" role="region" aria-label={t('read.preview')} aria-busy={busy} tabIndex={0}>
      <table className="transfer-table">
        <thead>
          <tr>
            {look.columns.map(({ column, name }) => (
              <th key={column} scope="col" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {look.rows.map((row, at) => (
            <tr key={String(at)}>
              {look.columns.map(({ column }, inside) => (
                <td key={column} title={row[inside] ?? ''}>
                  {row[inside] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The read options. A changed option is shown at once, even while the rows are being read again. */
const ReadFields = ({
  look,
  mapping,
  choose,
}: {
  readonly look: ImportLook;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { read } = look;
  const current = {
    format: mapping.read.format ?? read.format,
    sheet: mapping.read.sheet ?? read.sheet,
    header: mapping.read.header ?? read.header,
    delimiter: mapping.read.delimiter ?? read.delimiter,
    encoding: mapping.read.encoding ?? read.encoding,
  };
  const set = (change: ReadOptions): void => choose({ read: { ...mapping.read, ...change } });
  const lines = Math.max(headerLines, current.header);
  return (
    <div className="transfer-options">
      <ChooseLine
        label={t('read.format')}
        value={current.format}
        // Read options belong to a format, so changing the format resets them.
        options={transferFormats.filter((id) => (id === 'xlsx') === (read.format === 'xlsx')).map((id) => ({ id, name: t(`read.formats.${id}`) }))}
        onChange={(format) => choose({ read: { format } })}
      />
      {look.sheets.length > 1 && (
        <ChooseLine
          label={t('read.sheet')}
          value={current.sheet}
          options={look.sheets.map((id) => ({ id, name: id }))}
          onChange={(sheet) => {
            const { header: _header, ...rest } = mapping.read;
            choose({ read: { ...rest, sheet } });
          }}
        />
      )}
      {current.format !== 'json' && (
        <ChooseLine
          label={t('read.header')}
          value={String(current.header)}
          options={[
            { id: '0', name: t('read.headerNone') },
            ...Array.from({ length: lines }, (_, at) => ({ id: String(at + 1), name: t('read.headerLine', { n: at + 1 }) })),
          ]}
          onChange={(header) => set({ header: Number(header) })}
        />
      )}
      {current.format === 'csv' && (
        <ChooseLine
          label={t('read.delimiter')}
          value={current.delimiter}
          options={delimiters.map((id) => ({ id, name: t(`read.delimiters.${delimiterNames[id]}`) }))}
          onChange={(delimiter) => set({ delimiter })}
        />
      )}
      {current.format !== 'xlsx' && (
        <ChooseLine
          label={t('read.encoding')}
          value={current.encoding}
          options={textEncodings.map((id) => ({ id, name: t(`read.encodings.${id}`) }))}
          onChange={(encoding) => set({ encoding })}
        />
      )}
    </div>
  );
};

/** The read options, with a preview of their result. */
export const ReadStep = ({
  look,
  loading,
  mapping,
  choose,
  failed,
  starting,
  onAnother,
  onNext,
  onDryRun,
}: {
  readonly look: ImportLook;
  readonly loading: boolean;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
  /** Why the dry run was refused. */
  readonly failed: ReactNode;
  readonly starting: boolean;
  readonly onAnother: () => void;
  readonly onNext: () => void;
  /** Runs the dry run with the proposed fields; null: they have to be decided first. */
  readonly onDryRun: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <StepFrame
      actions={
        <>
          <Button onClick={onAnother}>{t('read.other')}</Button>
          <FlexibleSpace />
          {onDryRun && (
            <Button variant="outlined" disabled={loading || starting} aria-busy={starting} onClick={onDryRun}>
              {t(starting ? 'map.starting' : 'map.next')}
            </Button>
          )}
          <Button variant="contained" disabled={loading || look.columns.length === 0} onClick={onNext}>
            {t('read.next')}
          </Button>
        </>
      }
    >
      {failed}
      <p className="transfer-quiet">{t('read.lead')}</p>
      <ReadFields look={look} mapping={mapping} choose={choose} />
      {look.notes.length > 0 && (
        <Alert severity="warning" role="note">
          {look.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Alert>
      )}
      <p className="transfer-quiet" role="status">
        {loading ? t('read.loading') : look.rows.length === 0 ? t('read.none') : t('read.facts', { count: look.columns.length })}
      </p>
      {look.columns.length > 0 && <FirstRows look={look} busy={loading} />}
    </StepFrame>
  );
};
