import { Button } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { SchemaFile } from '@contract/tables/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { saveText } from '@/lib/csvFile';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Field } from '@/ui/form/Field';
import { ChooseLine } from '@/features/tables/parts/controls';
import { useLazyExportSchemaQuery } from '@/features/tables/parts/designApi';
import { SchemaDialog } from './SchemaDialog';
import { SchemaDifferences } from './SchemaDifferences';
import { isApplicable, useSchemaComparison } from './useSchemaComparison';
import type { SchemaComparison } from './useSchemaComparison';

const textOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsText(file);
  });

/** The source of the comparison: a file, or another site. */
const SourceChoice = ({ siteId, comparison }: { readonly siteId: string; readonly comparison: SchemaComparison }): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const sites = useAppSelector(selectSites).filter(({ id }) => id !== siteId);
  const [unreadable, setUnreadable] = useState(false);
  const [fileName, setFileName] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { source, choose } = comparison;
  const read = async (file: File | undefined) => {
    setUnreadable(false);
    setFileName(file?.name ?? null);
    if (!file) return choose(null);
    try {
      choose({ file: SchemaFile.parse(JSON.parse(await textOf(file))) });
    } catch {
      setUnreadable(true);
      choose(null);
    }
  };
  return (
    <>
      <Field label={t('files.file')} error={unreadable ? t('files.badFile') : undefined}>
        {({ 'aria-invalid': _invalid, ...aria }) => (
          <>
            {/* The native input serves screen readers and the keyboard; a button in the console's language replaces its appearance. */}
            <input
              {...aria}
              ref={input}
              className="only-read"
              type="file"
              accept=".json,application/json"
              onChange={(event) => void read(event.target.files?.[0])}
            />
            <Button component="span" aria-hidden tabIndex={-1} variant="outlined" className="design-file" onClick={() => input.current?.click()}>
              {fileName ?? t('files.choose')}
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
            setFileName(null);
            choose(id === '' ? null : { siteId: id });
          }}
        />
      )}
    </>
  );
};

/** Compares first; once there are applicable differences, applies the selected ones. */
const ComparisonAction = ({ comparison, onApplied }: { readonly comparison: SchemaComparison; readonly onApplied: (count: number) => void }): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const { source, differences, chosen, comparing, applying } = comparison;
  const apply = async () => {
    const count = await comparison.apply();
    if (count !== null) onApplied(count);
  };
  return differences?.some(isApplicable) ? (
    <Button variant="contained" disabled={chosen.length === 0 || applying} aria-busy={applying} onClick={() => void apply()}>
      {applying ? t('files.applying') : t('files.apply', { count: chosen.length })}
    </Button>
  ) : (
    <Button variant="contained" disabled={!source || comparing} aria-busy={comparing} onClick={() => void comparison.compare()}>
      {t(comparing ? 'files.comparing' : 'files.compare')}
    </Button>
  );
};

/** Exports definitions as a file, and applies selected differences from a file or another site. */
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
  const [download, exported] = useLazyExportSchemaQuery();
  const comparison = useSchemaComparison(siteId);
  const save = async () => {
    const { data } = await download({ siteId });
    if (data) saveText(`${siteName}-tables.json`, 'application/json', JSON.stringify(data, null, 2));
  };
  const close = (count: number): void => {
    dispatch(noticeShown({ tone: 'good', message: { key: 'tableSchemas:files.applied', values: { count } } }));
    onClose();
  };
  return (
    <SchemaDialog
      wide
      title={t('files.title')}
      error={[...comparison.errors, exported.error].find(isFailure)}
      onClose={onClose}
      action={<ComparisonAction comparison={comparison} onApplied={close} />}
    >
      <p className="design-quiet">{t('files.exportText')}</p>
      <Button variant="outlined" sx={{ justifySelf: 'start' }} disabled={exported.isFetching} onClick={() => void save()}>
        {t('files.export')}
      </Button>
      <p className="design-quiet">{t('files.compareText')}</p>
      <SourceChoice siteId={siteId} comparison={comparison} />
      <SchemaDifferences tables={tables} comparison={comparison} />
    </SchemaDialog>
  );
};
