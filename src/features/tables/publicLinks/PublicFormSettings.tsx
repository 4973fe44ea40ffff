import { Alert, FormHelperText, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { formFileTypes, openFormLimits } from '@contract/tables/formTerms';
import { leftOutReasons, publicForm } from '@contract/tables/publicForm';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { CheckField } from '@/ui/form/CheckField';
import { TextField } from '@/ui/form/TextField';
import { largestFile } from './publicLinkInput';
import type { PublicLinkInput } from './publicLinkInput';

/** The fields of a form view that the public fills in, by the same rule as on the server. */
const publicOf = (table: ContentTable, view: Pick<RecordView, 'query'>, files: boolean) =>
  publicForm(table, view.query.columns?.map(({ field }) => field) ?? null, files);
/** Whether the view has fields for files, which a link may leave out. */
export const asksForFiles = (table: ContentTable, view: Pick<RecordView, 'query'>): boolean =>
  publicOf(table, view, false).leftOut.some(({ why }) => why === 'files');

/** Which fields are not public and why, and what prevents the form from being submitted at all. */
export const FormFields = ({
  table,
  view,
  publish,
  files,
}: {
  readonly table: ContentTable;
  readonly view: RecordView;
  readonly publish: boolean;
  readonly files: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const { laid, leftOut, missing } = publicOf(table, view, files);
  const names = (fields: readonly { readonly title: string }[]): string => fields.map(({ title }) => title).join(t('publicLink.form.comma'));
  const stops = missing.length > 0 && (!table.drafts || publish);
  return (
    <>
      {table.kind === 'singleton' && <Alert severity="error">{t('publicLink.form.singleton')}</Alert>}
      {laid.fields.length === 0 && <Alert severity="error">{t('publicLink.form.nothing')}</Alert>}
      {missing.length > 0 && (
        <Alert severity={stops ? 'error' : 'info'}>{t(stops ? 'publicLink.form.missing' : 'publicLink.form.missingDraft', { fields: names(missing) })}</Alert>
      )}
      {leftOut.length > 0 && (
        <div>
          <Typography variant="body2" sx={{ fontWeight: 500 }}>
            {t('publicLink.form.leftOut')}
          </Typography>
          <Typography component="ul" variant="body2" sx={{ m: 0, pl: 2.5, color: 'text.secondary' }}>
            {leftOutReasons.map((why) => {
              const those = leftOut.filter((one) => one.why === why).map(({ field }) => field);
              return those.length === 0 ? null : <li key={why}>{t(`publicLink.form.why.${why}`, { fields: names(those) })}</li>;
            })}
          </Typography>
        </div>
      )}
    </>
  );
};
/** Whether a link to this form could be created. */
export function isFillable(table: ContentTable, view: RecordView, { publish, files }: { readonly publish: boolean; readonly files: boolean }): boolean {
  const { laid, missing } = publicOf(table, view, files);
  return table.kind !== 'singleton' && laid.fields.length > 0 && (missing.length === 0 || (table.drafts && !publish));
}

/** Whether the form takes files, and which. */
const FileSettings = ({ control }: { readonly control: Control<PublicLinkInput, unknown, PublicLinkInput> }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const id = useId();
  const [takes, types] = useWatch({ control, name: ['files', 'fileTypes'] });
  return (
    <>
      <CheckField control={control} name="files" label={t('publicLink.form.files')} help={t('publicLink.form.filesHelp')} />
      {takes && (
        <>
          <TextField
            control={control}
            name="fileSize"
            label={t('publicLink.form.fileSize')}
            messages={{ pattern: t('publicLink.form.fileSizeError', { most: largestFile }) }}
            inputMode="numeric"
          />
          <TextField
            control={control}
            name="fileCount"
            label={t('publicLink.form.fileCount')}
            messages={{ pattern: t('publicLink.form.fileCountError', { most: openFormLimits.files }) }}
            inputMode="numeric"
          />
          <div role="group" aria-labelledby={id}>
            <Typography id={id} variant="body2" sx={{ fontWeight: 500 }}>
              {t('publicLink.form.fileTypes')}
            </Typography>
            {formFileTypes.map((type) => (
              <CheckField key={type} control={control} name={`fileTypes.${type}`} label={t(`publicLink.form.fileType.${type}`)} />
            ))}
            {!Object.values(types).includes(true) && <FormHelperText error>{t('publicLink.form.fileTypesError')}</FormHelperText>}
          </div>
        </>
      )}
    </>
  );
};

/** How a form accepts answers, and what happens after one. */
export const PublicFormSettings = ({
  control,
  hasDrafts,
  hasFiles,
}: {
  readonly control: Control<PublicLinkInput, unknown, PublicLinkInput>;
  readonly hasDrafts: boolean;
  /** Whether the view has fields for files. */ readonly hasFiles: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <>
      {hasFiles && <FileSettings control={control} />}
      <TextField
        control={control}
        name="limit"
        label={t('publicLink.form.limit')}
        help={t('publicLink.form.limitHelp')}
        messages={{ pattern: t('publicLink.form.limitFault') }}
        inputMode="numeric"
        optional
      />
      <TextField
        control={control}
        name="closedText"
        label={t('publicLink.form.closedText')}
        help={t('publicLink.form.closedHelp')}
        maxLength={500}
        multiline
        minRows={2}
        optional
      />
      {hasDrafts && <CheckField control={control} name="publish" label={t('publicLink.form.publish')} help={t('publicLink.form.publishHelp')} />}
      <CheckField control={control} name="once" label={t('publicLink.form.once')} help={t('publicLink.form.onceHelp')} />
      <TextField
        control={control}
        name="redirect"
        label={t('publicLink.form.redirect')}
        help={t('publicLink.form.redirectHelp')}
        messages={{ pattern: t('publicLink.form.redirectFault') }}
        inputMode="url"
        placeholder="https://example.com/thanks"
        verbatim
        optional
      />
      <TextField
        control={control}
        name="embeds"
        label={t('publicLink.form.embeds')}
        help={t('publicLink.form.embedsHelp')}
        messages={{ pattern: t('publicLink.form.embedsFault') }}
        placeholder="https://www.example.com"
        multiline
        minRows={2}
        verbatim
        optional
      />
    </>
  );
};
