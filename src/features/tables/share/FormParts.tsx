import { Alert, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { leftOutReasons, publicForm } from '@contract/tables/formTerms';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { TextField } from '@/ui/form/TextField';
import type { ShareInput } from './shareInput';

/** What the public fills in of a form view, by the same rule as the server. */
export const publicOf = (table: ContentTable, view: Pick<RecordView, 'query'>) => publicForm(table, view.query.columns?.map(({ field }) => field) ?? null);

/** Which fields stay inside and why, and what keeps the form from being sent at all. */
export const FormFields = ({
  table,
  view,
  publish,
}: {
  readonly table: ContentTable;
  readonly view: RecordView;
  readonly publish: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const { laid, leftOut, missing } = publicOf(table, view);
  const names = (fields: readonly { readonly title: string }[]): string => fields.map(({ title }) => title).join(t('share.form.comma'));
  const stops = missing.length > 0 && (!table.drafts || publish);
  return (
    <>
      {table.kind === 'singleton' && <Alert severity="error">{t('share.form.singleton')}</Alert>}
      {laid.fields.length === 0 && <Alert severity="error">{t('share.form.nothing')}</Alert>}
      {missing.length > 0 && (
        <Alert severity={stops ? 'error' : 'info'}>{t(stops ? 'share.form.missing' : 'share.form.missingDraft', { fields: names(missing) })}</Alert>
      )}
      {leftOut.length > 0 && (
        <div>
          <Typography variant="body2" sx={{ fontWeight: 500 }}>
            {t('share.form.leftOut')}
          </Typography>
          <Typography component="ul" variant="body2" sx={{ m: 0, pl: 2.5, color: 'text.secondary' }}>
            {leftOutReasons.map((why) => {
              const those = leftOut.filter((one) => one.why === why).map(({ field }) => field);
              return those.length === 0 ? null : <li key={why}>{t(`share.form.why.${why}`, { fields: names(those) })}</li>;
            })}
          </Typography>
        </div>
      )}
    </>
  );
};
/** Whether a link to this form could be made at all. */
export function isFillable(table: ContentTable, view: RecordView, publish: boolean): boolean {
  const { laid, missing } = publicOf(table, view);
  return table.kind !== 'singleton' && laid.fields.length > 0 && (missing.length === 0 || (table.drafts && !publish));
}

/** How a form takes answers, and what happens after one. */
export const FormParts = ({
  control,
  hasDrafts,
  tick,
}: {
  readonly control: Control<ShareInput, unknown, ShareInput>;
  readonly hasDrafts: boolean;
  readonly tick: (name: 'once' | 'publish', label: string, help?: string) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <>
      <TextField
        control={control}
        name="limit"
        label={t('share.form.limit')}
        help={t('share.form.limitHelp')}
        words={{ pattern: t('share.form.limitFault') }}
        inputMode="numeric"
        optional
      />
      <TextField
        control={control}
        name="closedText"
        label={t('share.form.closedText')}
        help={t('share.form.closedHelp')}
        maxLength={500}
        multiline
        minRows={2}
        optional
      />
      {hasDrafts && tick('publish', t('share.form.publish'), t('share.form.publishHelp'))}
      {tick('once', t('share.form.once'), t('share.form.onceHelp'))}
      <TextField
        control={control}
        name="redirect"
        label={t('share.form.redirect')}
        help={t('share.form.redirectHelp')}
        words={{ pattern: t('share.form.redirectFault') }}
        inputMode="url"
        placeholder="https://example.com/thanks"
        verbatim
        optional
      />
      <TextField
        control={control}
        name="embeds"
        label={t('share.form.embeds')}
        help={t('share.form.embedsHelp')}
        words={{ pattern: t('share.form.embedsFault') }}
        placeholder="https://www.example.com"
        multiline
        minRows={2}
        verbatim
        optional
      />
    </>
  );
};
