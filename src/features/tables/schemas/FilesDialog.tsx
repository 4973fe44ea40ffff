import { Button, Checkbox } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SchemaFile, rightsPart } from '@contract/tables/schemas';
import type { ContentTable, SchemaDifference } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { saveText } from '@/lib/csvFile';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Field } from '@/ui/form/Field';
import { ChooseLine } from '../parts/controls';
import { useApplySchemaMutation, useCompareSchemaMutation, useLazyExportSchemaQuery } from '../parts/designApi';
import { RightsChange } from './RightsChange';
import { Frame } from './Small';

type Source = { readonly file: z.infer<typeof SchemaFile> } | { readonly siteId: string };
const nameOf = ({ table, field }: SchemaDifference): string => (field === null ? table : `${table}.${field}`);
const can = ({ change }: SchemaDifference): boolean => change === 'add' || change === 'change';

const textOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsText(file);
  });

/** Definitions as a file; and what a file or another site has that this one has not, to be chosen from. */
export const FilesDialog = ({
  siteId,
  siteName,
  tables,
  onClose,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly siteName: string;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const sites = useAppSelector(selectSites).filter(({ id }) => id !== siteId);
  const [download, exported] = useLazyExportSchemaQuery();
  const [compare, compared] = useCompareSchemaMutation();
  const [apply, applied] = useApplySchemaMutation();
  const [source, setSource] = useState<Source | null>(null);
  const [bad, setBad] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<readonly SchemaDifference[] | null>(null);
  const chosen = (shown ?? []).filter((one) => can(one) && !off.has(nameOf(one)) && !(one.field === rightsPart && one.change === 'add' && off.has(one.table)));
  const take = (next: Source | null) => {
    setSource(next);
    setShown(null);
    setOff(new Set());
  };
  const save = async () => {
    const { data } = await download({ siteId });
    if (data) saveText(`${siteName}-tables.json`, 'application/json', JSON.stringify(data, null, 2));
  };
  const read = async (file: File | undefined) => {
    setBad(false);
    setPicked(file?.name ?? null);
    if (!file) return take(null);
    try {
      take({ file: SchemaFile.parse(JSON.parse(await textOf(file))) });
    } catch {
      setBad(true);
      take(null);
    }
  };
  const look = async () => {
    if (!source) return;
    const { data } = await compare({ siteId, body: source });
    if (!data) return;
    setShown(data);
    // Who may do what with a table that is here stays as it is, unless one says so.
    setOff(new Set(data.filter((one) => one.field === rightsPart && one.change === 'change').map(nameOf)));
  };
  const go = async () => {
    if (!source) return;
    const { data } = await apply({ siteId, body: { ...source, only: chosen.map(nameOf) } });
    if (!data) return;
    dispatch(noticeShown({ tone: 'good', words: { key: 'tableSchemas:files.applied', values: { count: data.length } } }));
    onClose();
  };
  const error = [applied.error, compared.error, exported.error].find(isFailure);
  return (
    <Frame
      wide
      title={t('files.title')}
      error={error}
      onClose={onClose}
      action={
        shown && shown.some(can) ? (
          <Button variant="contained" disabled={chosen.length === 0 || applied.isLoading} aria-busy={applied.isLoading} onClick={() => void go()}>
            {applied.isLoading ? t('files.applying') : t('files.apply', { count: chosen.length })}
          </Button>
        ) : (
          <Button variant="contained" disabled={!source || compared.isLoading} aria-busy={compared.isLoading} onClick={() => void look()}>
            {t(compared.isLoading ? 'files.comparing' : 'files.compare')}
          </Button>
        )
      }
    >
      <p className="design-quiet">{t('files.exportText')}</p>
      <Button size="small" variant="outlined" sx={{ justifySelf: 'start' }} disabled={exported.isFetching} onClick={() => void save()}>
        {t('files.export')}
      </Button>
      <p className="design-quiet">{t('files.compareText')}</p>
      <Field label={t('files.file')} error={bad ? t('files.badFile') : undefined}>
        {({ 'aria-invalid': _invalid, ...aria }) => (
          <>
            {/* It is heard and has the focus; the browser's own button speaks the browser's language, so that another is shown. */}
            <input
              {...aria}
              ref={picker}
              className="only-read"
              type="file"
              accept=".json,application/json"
              onChange={(event) => void read(event.target.files?.[0])}
            />
            <Button component="span" aria-hidden tabIndex={-1} size="small" variant="outlined" className="design-file" onClick={() => picker.current?.click()}>
              {picked ?? t('files.choose')}
            </Button>
          </>
        )}
      </Field>
      {sites.length > 0 && (
        <ChooseLine
          label={t('files.site')}
          value={source && 'siteId' in source ? source.siteId : ''}
          options={[{ id: '', name: t('files.noSite') }, ...sites.map(({ id, name }) => ({ id, name }))]}
          onChange={(id) => {
            setPicked(null);
            take(id === '' ? null : { siteId: id });
          }}
        />
      )}
      {shown?.length === 0 && <p role="status">{t('files.same')}</p>}
      {shown?.some(({ field }) => field === rightsPart) && (
        <p className="design-quiet">
          {t('files.rightsText')} {shown.some((one) => one.field === rightsPart && one.change === 'change') && t('files.rightsOff')}
        </p>
      )}
      {shown && shown.length > 0 && (
        <ul className="design-rows">
          {shown.map((one) => {
            const name = nameOf(one);
            const rights = one.field === rightsPart;
            const here = tables.find(({ key }) => key === one.table) ?? null;
            const word = rights ? t('files.rights', { table: here?.title ?? one.table }) : name;
            // Rights of a table that is not made have nowhere to go.
            const idle = rights && one.change === 'add' && off.has(one.table);
            return (
              <li key={name} className="design-row" style={{ flexWrap: 'wrap', gap: '0 8px', paddingRight: 12 }}>
                <Checkbox
                  size="small"
                  slotProps={{ input: { 'aria-label': `${t(`files.change.${one.change}`)} ${word}` } }}
                  checked={can(one) && !off.has(name) && !idle}
                  disabled={!can(one) || idle}
                  onChange={(_event, on) => setOff(new Set(on ? [...off].filter((id) => id !== name) : [...off, name]))}
                />
                <span className="design-mark">{t(`files.change.${one.change}`)}</span>
                {rights ? (
                  <div style={{ flex: 1, minWidth: 0, padding: '8px 0' }}>
                    {word}
                    <RightsChange table={here} tables={tables} before={one.before} after={one.after} />
                  </div>
                ) : (
                  <code className="design-mono" style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </code>
                )}
                {!can(one) && <small className="design-quiet">{t('files.cannot')}</small>}
              </li>
            );
          })}
        </ul>
      )}
    </Frame>
  );
};
