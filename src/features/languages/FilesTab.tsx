import { Button, Checkbox, FormControlLabel, NativeSelect, OutlinedInput, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportCheck, ImportRow, TranslationOverview } from '@contract/languages/translations';
import { exchangeFormats, importResults, translationLimits } from '@contract/languages/translationTerms';
import type { ExchangeFormat } from '@contract/languages/translationTerms';
import type { Site } from '@contract/sites/schemas';
import { plainOf } from '@/features/tables/record/RichText';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { FileField } from '@/ui/form/FileField';
import type { PickedFile } from '@/ui/form/FileField';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import { RunList } from './RunList';
import { exportAddress, useCheckTranslationsMutation, useImportTranslationsMutation } from './translationsApi';

type Props = { readonly site: Site; readonly overview: TranslationOverview };
const endings = { json: ['json'], csv: ['csv'], xliff: ['xlf', 'xliff', 'xml'], po: ['po', 'pot'] } as const satisfies Readonly<
  Record<ExchangeFormat, readonly string[]>
>;
const tones = { changed: 'good', unchanged: 'info', unknown: 'warning', outdated: 'warning', refused: 'bad' } as const;

type Choice = {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
};
const Select = ({ label, value, choices, onChoose }: Choice): ReactElement => (
  <Field label={label}>
    {({ id, ...aria }) => (
      <NativeSelect id={id} fullWidth inputProps={aria} value={value} input={<OutlinedInput />} onChange={(event) => onChoose(event.target.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </NativeSelect>
    )}
  </Field>
);

function Export({ site, targets }: { readonly site: Site; readonly targets: readonly string[] }): ReactElement {
  const { t } = useTranslation('translations');
  const languageName = useLanguageName();
  const [format, setFormat] = useState<ExchangeFormat>('xliff');
  const [tag, setTag] = useState(targets[0] ?? '');
  const [openOnly, setOpenOnly] = useState(true);
  return (
    <div className="translation-form">
      <Select label={t('language')} value={tag} choices={targets.map((one) => ({ value: one, label: languageName(one) }))} onChoose={setTag} />
      <Select
        label={t('formatLabel')}
        value={format}
        choices={exchangeFormats.map((one) => ({ value: one, label: t(`format.${one}`) }))}
        onChoose={(next) => setFormat(next as ExchangeFormat)}
      />
      <FormControlLabel control={<Checkbox checked={openOnly} onChange={(event) => setOpenOnly(event.target.checked)} />} label={t('openOnly')} />
      <div>
        <Button component="a" variant="contained" download href={exportAddress({ siteId: site.id, format, tag, ...(openOnly ? { state: 'open' } : {}) })}>
          {t('export')}
        </Button>
      </div>
    </div>
  );
}

const readable = ({ format }: ImportRow, text: string): string => (format === 'html' ? plainOf(text) : text).slice(0, 200);

/** What an import would do, text by text. */
function Checked({ check }: { readonly check: ImportCheck }): ReactElement {
  const { t } = useTranslation('translations');
  const { number } = useFormat();
  return (
    <>
      <p role="status">
        {importResults.map((result) => t(`result.${result}`, { amount: number(check.counts[result] ?? 0) })).join(' · ')}
        <span className="translation-quiet"> {t('encoding', { name: check.encoding })}</span>
      </p>
      <div className="translation-scroll">
        <Table size="small" aria-label={t('checkTable')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('place')}</TableCell>
              <TableCell>{t('stateLabel')}</TableCell>
              <TableCell>{t('before')}</TableCell>
              <TableCell>{t('after')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {check.rows.slice(0, 50).map((row) => (
              <TableRow key={row.id}>
                <TableCell>{row.title || row.id}</TableCell>
                <TableCell>
                  <Tag tone={tones[row.result]}>{t(`resultName.${row.result}`)}</Tag>
                  {row.reason !== null && <div className="translation-quiet">{t(`importReason.${row.reason}`)}</div>}
                </TableCell>
                <TableCell>{readable(row, row.before ?? '')}</TableCell>
                <TableCell>{readable(row, row.after)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </>
  );
}

function Import({ site, targets }: { readonly site: Site; readonly targets: readonly string[] }): ReactElement {
  const { t } = useTranslation('translations');
  const languageName = useLanguageName();
  const [tag, setTag] = useState(targets[0] ?? '');
  const [file, setFile] = useState<PickedFile<ExchangeFormat> | null>(null);
  const [state, setState] = useState<'draft' | 'reviewed'>('reviewed');
  const [outdated, setOutdated] = useState(false);
  const [check, checking] = useCheckTranslationsMutation();
  const [start, starting] = useImportTranslationsMutation();
  const failure = checking.error ?? starting.error;
  const changes = (checking.data?.counts.changed ?? 0) + (outdated ? (checking.data?.counts.outdated ?? 0) : 0);
  const content = file && { format: file.type, tag, content: file.content };
  const run = async (): Promise<void> => {
    if (!content) return;
    const { error } = await start({ siteId: site.id, body: { ...content, state, outdated } });
    if (error !== undefined) return;
    setFile(null);
    checking.reset();
  };
  return (
    <div className="translation-form">
      <Select
        label={t('language')}
        value={tag}
        choices={targets.map((one) => ({ value: one, label: languageName(one) }))}
        onChoose={(next) => {
          setTag(next);
          checking.reset();
        }}
      />
      <FileField
        label={t('file')}
        types={endings}
        mostBytes={translationLimits.importBytes}
        value={file}
        onPick={(picked) => {
          setFile(picked);
          checking.reset();
        }}
      />
      <Select
        label={t('importAs')}
        value={state}
        choices={(['reviewed', 'draft'] as const).map((one) => ({ value: one, label: t(`state.${one}`) }))}
        onChoose={(next) => setState(next as 'draft' | 'reviewed')}
      />
      <FormControlLabel control={<Checkbox checked={outdated} onChange={(event) => setOutdated(event.target.checked)} />} label={t('importOutdated')} />
      {isFailure(failure) && <ErrorPanel failure={failure} />}
      {checking.data && <Checked check={checking.data} />}
      <div className="translation-actions">
        <Button
          variant={checking.data ? 'outlined' : 'contained'}
          disabled={!content || checking.isLoading}
          onClick={() => content && void check({ siteId: site.id, body: content })}
        >
          {t('check')}
        </Button>
        {checking.data && (
          <Button variant="contained" disabled={changes === 0 || starting.isLoading} onClick={() => void run()}>
            {t('import', { count: changes })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Files for translators: export, import with a dry run first, and the imports so far. */
export function FilesTab({ site, overview }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const targets = overview.languages.filter(({ total }) => total > 0).map(({ tag }) => tag);
  return (
    <>
      <Section title={t('exportTitle')} note={t('exportNote')}>
        <Export site={site} targets={targets} />
      </Section>
      <Section title={t('importTitle')} note={t('importNote')}>
        <Import site={site} targets={targets} />
      </Section>
      <RunList siteId={site.id} kind="import" />
    </>
  );
}
