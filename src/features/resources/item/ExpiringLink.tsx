import { Box, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Resource, resourceEndpoints } from '@contract/resources/schemas';
import { resourceLimits } from '@contract/resources/terms';
import { safeName } from '@contract/text';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { Field } from '@/ui/form/Field';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { ResultOf } from '@/store/endpoints';
import { useSignResourceMutation } from '../resourcesApi';

const daySeconds = 86_400;
/** Seconds for which a link works. */
const durations = { hour: 3600, day: daySeconds, week: 7 * daySeconds, month: 30 * daySeconds, year: 365 * daySeconds } as const;
const durationIds = ['hour', 'day', 'week', 'month', 'year'] as const;

/** An empty name: the file is shown where browsers can. */
const LinkValues = z.object({ duration: z.enum(durationIds), downloadAs: z.literal('').or(safeName(resourceLimits.name)) });

type Link = ResultOf<(typeof resourceEndpoints)['signResource']>;
type Props = { readonly siteId: string; readonly resource: Resource; readonly onClose: () => void };

/** An address with a button that copies it. */
const AddressField = ({ label, help, address, copyLabel }: { label: string; help?: string; address: string; copyLabel: string }): ReactElement => (
  <Field label={label} help={help}>
    {(field) => (
      <OutlinedInput
        fullWidth
        readOnly
        value={address}
        inputProps={field}
        onFocus={(event) => event.target.select()}
        endAdornment={<CopyButton text={address} label={copyLabel} />}
      />
    )}
  </Field>
);

/** The link, and those of the poster and the captions of a video, which its player needs too. */
function Links({ link: { address, expiresAt, poster, captions } }: { readonly link: Link }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  return (
    <Box role="status" sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 }}>
      <AddressField
        label={t('address.link')}
        help={t('address.until', { time: format.dateTime(expiresAt) })}
        address={address}
        copyLabel={t('address.copyLink')}
      />
      {poster !== null && <AddressField label={t('address.poster')} address={poster} copyLabel={t('address.copyPoster')} />}
      {captions.map((one) => (
        <AddressField
          key={`${one.language} ${one.use}`}
          label={t('address.caption', { label: one.label })}
          address={one.address}
          copyLabel={t('address.copyCaption', { label: one.label })}
        />
      ))}
    </Box>
  );
}

/** Creates expiring links; they also work for private resources. */
export function ExpiringLink({ siteId, resource: { id }, onClose }: Props): ReactElement {
  const { t } = useTranslation(['resources', 'ui']);
  const [link, setLink] = useState<Link | null>(null);
  const form = useContractForm(LinkValues, { defaultValues: { duration: 'week', downloadAs: '' } });
  const [sign] = useSignResourceMutation();
  const { submit, busy, failure } = useSubmit(form, {
    send: async ({ duration, downloadAs }: z.output<typeof LinkValues>) =>
      sign({ siteId, id, body: { expiresIn: durations[duration], downloadAs: downloadAs === '' ? null : downloadAs } }),
    onSuccess: setLink,
  });
  return (
    <FormDialog
      form={form}
      title={t('address.title')}
      lead={t('address.lead')}
      submitLabel={t('address.do')}
      cancelLabel={t('ui:close')}
      busy={busy}
      failure={failure}
      confirmsDiscard={false}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="duration"
        label={t('address.expires')}
        choices={durationIds.map((value) => ({ value, label: t(`address.${value}`) }))}
      />
      <TextField
        control={form.control}
        name="downloadAs"
        label={t('address.downloadAs')}
        help={t('address.downloadHelp')}
        optional
        maxLength={resourceLimits.name}
      />
      {link && <Links link={link} />}
    </FormDialog>
  );
}
