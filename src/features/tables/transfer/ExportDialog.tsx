import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { delimiters, exportFormats, transferLimits } from '@contract/tables/transfers';
import type { ExportFormat } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { phone, useMedia } from '@/lib/useMedia';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Segmented } from '@/ui/form/Segmented';
import { ChooseLine, Tick } from '../parts/controls';
import { tablesApi } from '../tablesApi';
import { isSystem } from '../records/viewState';
import { download } from './download';
import { delimiterNames } from './delimiterNames';
import { transferCalls } from './transferApi';
import './transfer.css';

export type ExportProps = {
  readonly siteId: string;
  readonly table: ContentTable;
  /** The query of the list on the screen. */
  readonly question: {
    readonly filter?: string | undefined;
    readonly q?: string | undefined;
    readonly sort?: string | undefined;
    readonly locale?: string | undefined;
    readonly trash?: string | undefined;
  };
  /** Visible columns, in order. */ readonly columns: readonly string[];
  /** Selected records. */ readonly chosen: readonly string[];
  readonly nameOf: (column: string) => string;
  readonly onClose: () => void;
};
type Which = 'view' | 'chosen' | 'all';
type Fields = 'shown' | 'every' | 'some';

/** The settings of an export, and starting it. */
function useExport({ siteId, table, question, columns, chosen, onClose }: ExportProps) {
  const dispatch = useAppDispatch();
  const isTooManyChosen = chosen.length > tableLimits.batch;
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [delimiter, setDelimiter] = useState<(typeof delimiters)[number]>(',');
  const [which, setWhich] = useState<Which>(chosen.length > 0 && !isTooManyChosen ? 'chosen' : 'view');
  const [fields, setFields] = useState<Fields>('shown');
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(columns));
  const [locale, setLocale] = useState(question.locale ?? table.locales[0] ?? '');
  const [withId, setWithId] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [tooLong, setTooLong] = useState(false);
  const [busy, setBusy] = useState(false);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  const allFields = table.fields.map((field) => field.id);
  // Visible columns first, in their order, then the others.
  const order = [...columns, ...allFields.filter((id) => !columns.includes(id))];
  const exported = fields === 'every' ? allFields : fields === 'shown' ? columns : order.filter((id) => picked.has(id));
  const query = {
    ...(which === 'view' ? { filter: question.filter, q: question.q, sort: question.sort } : {}),
    ...(which === 'chosen' ? { ids: chosen.join(','), sort: question.sort } : {}),
    ...(question.trash === undefined ? {} : { trash: question.trash }),
    ...(table.locales.length > 1 && locale !== table.locales[0] ? { locale } : {}),
  };
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setTooLong(false);
    // The browser would save an error response as the file, so one record is requested first. Only the export itself is in the audit log.
    const ownFields = exported.filter((name) => !isSystem(name));
    const count = format === 'xlsx' ? ('exact' as const) : ('none' as const);
    const first = await dispatch(
      tablesApi.endpoints.recordPage.initiate(
        { siteId, table: table.id, ...query, fields: ownFields.length === 0 ? '-' : ownFields.join(','), limit: 1, count },
        { subscribe: false, forceRefetch: true },
      ),
    );
    setBusy(false);
    if (closed.current) return undefined;
    if (!first.data) return setFailure(isFailure(first.error) ? first.error : null);
    if (format === 'xlsx' && (first.data.total ?? 0) > transferLimits.rows) return setTooLong(true);
    const options = { ...(withId ? { withId: 'true' } : {}), ...(format !== 'xlsx' && format !== 'json' && delimiter !== ',' ? { delimiter } : {}) };
    download(addressOf(transferCalls.exportRecords, { siteId, table: table.id, format, fields: exported.join(','), ...query, ...options }));
    dispatch(noticeShown({ tone: 'good', message: { key: 'tableTransfer:export.started' } }));
    return onClose();
  };
  const settings = { format, setFormat, delimiter, setDelimiter, which, setWhich, fields, setFields, picked, setPicked, locale, setLocale, withId, setWithId };
  return { settings, isTooManyChosen, order, exported, failure, tooLong, busy, start };
}
type Export = ReturnType<typeof useExport>;
type PartProps = { readonly props: ExportProps; readonly state: Export };

/** The format of the file. */
const FormatFields = ({ settings }: Pick<Export, 'settings'>): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { format, setFormat, delimiter, setDelimiter } = settings;
  return (
    <>
      <div>
        <Segmented
          label={t('export.format')}
          value={format}
          choices={exportFormats.map((value) => ({ value, label: t(`read.formats.${value}`) }))}
          onChoose={setFormat}
        />
        <p className="transfer-quiet" style={{ marginTop: 4 }}>
          {t(`export.formatText.${format}`)}
        </p>
      </div>
      {format === 'csv' && (
        <ChooseLine
          label={t('export.delimiter')}
          value={delimiter}
          options={delimiters.map((one) => ({ id: one, name: t(`read.delimiters.${delimiterNames[one]}`) }))}
          onChange={setDelimiter}
        />
      )}
    </>
  );
};

/** Which records are exported. */
const RecordsField = ({ props: { question, chosen }, state: { settings, isTooManyChosen } }: PartProps): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const number = useFormat().number;
  const narrowed = question.filter !== undefined || question.q !== undefined || question.sort !== undefined;
  return (
    <ChooseLine
      label={t('export.which')}
      value={settings.which}
      help={isTooManyChosen ? t('export.chosenMost', { countText: number(tableLimits.batch) }) : undefined}
      options={[
        { id: 'view' as const, name: t(narrowed ? 'export.view' : 'export.viewPlain') },
        ...(chosen.length > 0 && !isTooManyChosen
          ? [{ id: 'chosen' as const, name: t('export.chosen', { count: chosen.length, countText: number(chosen.length) }) }]
          : []),
        { id: 'all' as const, name: t('export.all') },
      ]}
      onChange={settings.setWhich}
    />
  );
};

/** Which of their fields are exported. */
const FieldsField = ({ props: { table, columns, nameOf }, state: { settings, order, exported } }: PartProps): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { fields, setFields, picked, setPicked } = settings;
  const toggle = (id: string, on: boolean): void => {
    const next = new Set(picked);
    if (on) next.add(id);
    else next.delete(id);
    setPicked(next);
  };
  return (
    <>
      <ChooseLine
        label={t('export.fields')}
        value={fields}
        options={[
          { id: 'shown' as const, name: t('export.shown', { count: columns.length }) },
          { id: 'every' as const, name: t('export.every', { count: table.fields.length }) },
          { id: 'some' as const, name: t('export.some') },
        ]}
        onChange={setFields}
      />
      {fields === 'some' && (
        <div className="transfer-pick" role="group" aria-label={t('export.pick')}>
          {order.map((id) => (
            <label key={id}>
              <input type="checkbox" checked={picked.has(id)} onChange={(event) => toggle(id, event.target.checked)} />
              <span>{nameOf(id)}</span>
            </label>
          ))}
        </div>
      )}
      {exported.length === 0 && (
        <p role="alert" className="tables-error">
          {t('export.noFields')}
        </p>
      )}
    </>
  );
};

/** Exports records as a file that the browser downloads; shows why it cannot be created. */
const ExportDialog = (props: ExportProps): ReactElement => {
  const { table, onClose } = props;
  const { t, i18n } = useTranslation('tableTransfer');
  const onPhone = useMedia(phone);
  const number = useFormat().number;
  const id = useId();
  const state = useExport(props);
  const { settings, exported, failure, tooLong, busy, start } = state;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth fullScreen={onPhone} maxWidth="sm">
      <DialogTitle id={id}>{t('export.title', { table: table.title })}</DialogTitle>
      <DialogContent className="transfer-body">
        {failure && <ErrorPanel title={t('export.failed')} failure={failure} />}
        {tooLong && <ErrorPanel title={t('export.tooLong', { rows: number(transferLimits.rows) })} />}
        <FormatFields settings={settings} />
        <RecordsField props={props} state={state} />
        <FieldsField props={props} state={state} />
        {table.locales.length > 1 && (
          <ChooseLine
            label={t('export.locale')}
            value={settings.locale}
            options={table.locales.map((one) => ({ id: one, name: languageName(one, i18n.language) }))}
            onChange={settings.setLocale}
          />
        )}
        <Tick label={t('export.withId')} help={t('export.withIdHelp')} checked={settings.withId} onChange={settings.setWithId} />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" autoFocus disabled={busy || exported.length === 0} aria-busy={busy} onClick={() => void start()}>
          {t(busy ? 'export.going' : 'export.go')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

export default ExportDialog;
