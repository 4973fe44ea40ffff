import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { delimiters, transferFormats, transferLimits } from '@contract/tables/transfers';
import type { TransferFormat } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { phone, useMedia } from '@/lib/useMedia';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
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
  /** What the list on the screen is asked for. */
  readonly question: {
    readonly filter?: string | undefined;
    readonly q?: string | undefined;
    readonly sort?: string | undefined;
    readonly locale?: string | undefined;
    readonly trash?: string | undefined;
  };
  /** Columns in sight, in their order. */ readonly columns: readonly string[];
  /** Records that have been chosen. */ readonly chosen: readonly string[];
  readonly nameOf: (column: string) => string;
  readonly onClose: () => void;
};
type Which = 'view' | 'chosen' | 'all';
type Fields = 'shown' | 'every' | 'some';

/** Records as a file. The browser downloads it; that it cannot be made is told here. */
const ExportDialog = ({ siteId, table, question, columns, chosen, nameOf, onClose }: ExportProps): ReactElement => {
  const { t, i18n } = useTranslation('tableTransfer');
  const dispatch = useAppDispatch();
  const onPhone = useMedia(phone);
  const number = useFormat().number;
  const id = useId();
  const [format, setFormat] = useState<TransferFormat>('csv');
  const [delimiter, setDelimiter] = useState<(typeof delimiters)[number]>(',');
  const tooMany = chosen.length > tableLimits.batch;
  const [which, setWhich] = useState<Which>(chosen.length > 0 && !tooMany ? 'chosen' : 'view');
  const [fields, setFields] = useState<Fields>('shown');
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(columns));
  const [locale, setLocale] = useState(question.locale ?? table.locales[0] ?? '');
  const [withId, setWithId] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [busy, setBusy] = useState(false);
  const [tooLong, setTooLong] = useState(false);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);

  const all = table.fields.map((field) => field.id);
  // Those in sight first and in their order, then the others.
  const order = [...columns, ...all.filter((one) => !columns.includes(one))];
  const wanted = fields === 'every' ? all : fields === 'shown' ? columns : order.filter((one) => picked.has(one));
  const narrowed = question.filter !== undefined || question.q !== undefined || question.sort !== undefined;
  const asked = {
    ...(which === 'view' ? { filter: question.filter, q: question.q, sort: question.sort } : {}),
    ...(which === 'chosen' ? { ids: chosen.join(','), sort: question.sort } : {}),
    ...(question.trash === undefined ? {} : { trash: question.trash }),
    ...(table.locales.length > 1 && locale !== table.locales[0] ? { locale } : {}),
  };
  const go = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setTooLong(false);
    // A link alone would save the words of a refusal as the file: so the same question is asked for one record first. Only the export itself is in the log.
    const own = wanted.filter((name) => !isSystem(name));
    const first = await dispatch(
      tablesApi.endpoints.recordPage.initiate(
        { siteId, table: table.id, ...asked, fields: own.length === 0 ? '-' : own.join(','), limit: 1, count: format === 'xlsx' ? 'exact' : 'none' },
        { subscribe: false, forceRefetch: true },
      ),
    );
    setBusy(false);
    if (closed.current) return undefined;
    if (!first.data) return setFailure(isFailure(first.error) ? first.error : null);
    if (format === 'xlsx' && (first.data.total ?? 0) > transferLimits.rows) return setTooLong(true);
    download(
      addressOf(transferCalls.exportRecords, {
        siteId,
        table: table.id,
        format,
        fields: wanted.join(','),
        ...asked,
        ...(withId ? { withId: 'true' } : {}),
        ...(format === 'csv' && delimiter !== ',' ? { delimiter } : {}),
      }),
    );
    dispatch(noticeShown({ tone: 'good', words: { key: 'tableTransfer:export.started' } }));
    return onClose();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth fullScreen={onPhone} maxWidth="sm">
      <DialogTitle id={id}>{t('export.title', { table: table.title })}</DialogTitle>
      <DialogContent className="transfer-body">
        {failure && <ErrorPanel title={t('export.failed')} failure={failure} />}
        {tooLong && <ErrorPanel title={t('export.tooLong', { rows: number(transferLimits.rows) })} />}
        <div>
          <Segmented
            label={t('export.format')}
            value={format}
            choices={transferFormats.map((value) => ({ value, label: t(`read.formats.${value}`) }))}
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
        <ChooseLine
          label={t('export.which')}
          value={which}
          help={tooMany ? t('export.chosenMost', { shown: number(tableLimits.batch) }) : undefined}
          options={[
            { id: 'view' as const, name: t(narrowed ? 'export.view' : 'export.viewPlain') },
            ...(chosen.length > 0 && !tooMany
              ? [{ id: 'chosen' as const, name: t('export.chosen', { count: chosen.length, shown: number(chosen.length) }) }]
              : []),
            { id: 'all' as const, name: t('export.all') },
          ]}
          onChange={setWhich}
        />
        <ChooseLine
          label={t('export.fields')}
          value={fields}
          options={[
            { id: 'shown' as const, name: t('export.shown', { count: columns.length }) },
            { id: 'every' as const, name: t('export.every', { count: all.length }) },
            { id: 'some' as const, name: t('export.some') },
          ]}
          onChange={setFields}
        />
        {fields === 'some' && (
          <div className="transfer-pick" role="group" aria-label={t('export.pick')}>
            {order.map((one) => (
              <label key={one}>
                <input
                  type="checkbox"
                  checked={picked.has(one)}
                  onChange={(event) => {
                    const next = new Set(picked);
                    if (event.target.checked) next.add(one);
                    else next.delete(one);
                    setPicked(next);
                  }}
                />
                <span>{nameOf(one)}</span>
              </label>
            ))}
          </div>
        )}
        {wanted.length === 0 && (
          <p role="alert" className="tables-fault">
            {t('export.noFields')}
          </p>
        )}
        {table.locales.length > 1 && (
          <ChooseLine
            label={t('export.locale')}
            value={locale}
            options={table.locales.map((one) => ({ id: one, name: languageName(one, i18n.language) }))}
            onChange={setLocale}
          />
        )}
        <Tick label={t('export.withId')} help={t('export.withIdHelp')} checked={withId} onChange={setWithId} />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" autoFocus disabled={busy || wanted.length === 0} aria-busy={busy} onClick={() => void go()}>
          {t(busy ? 'export.going' : 'export.go')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

export default ExportDialog;
