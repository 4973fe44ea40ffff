import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { mayOnSite } from '@contract/permissions';
import { leastStorage } from '@contract/resources/storage';
import type { ResourceStorage } from '@contract/resources/storage';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { encodeFieldError } from '@/ui/form/fieldError';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { ProgressBar } from '@/ui/JobProgress';
import { useChangeResourceStorageMutation } from './storageApi';

const units = { GB: 2 ** 30, MB: 2 ** 20 } as const;

/** A size as typed, in a unit, to bytes; nothing to null. */
const sizeIn = (unit: number, least: number, most: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d+(?:\.\d+)?$/.test(text) && Number(text) * unit >= least && Number(text) * unit <= most), {
      message: encodeFieldError({ code: 'out_of_range', min: least / unit, max: most / unit }),
    })
    .transform((text) => (text === '' ? null : Math.round(Number(text) * unit)));

const typed = (bytes: number | null, unit: number): string => (bytes === null ? '' : String(Number((bytes / unit).toFixed(3))));

function useLimitsForm(siteId: string, { own, installation, revision }: ResourceStorage, onClose: () => void) {
  const dispatch = useAppDispatch();
  const [change] = useChangeResourceStorageMutation();
  const schema = useMemo(
    () =>
      z.object({
        maxBytes: sizeIn(units.GB, leastStorage.maxBytes, installation.maxBytes),
        maxFileBytes: sizeIn(units.MB, leastStorage.maxFileBytes, installation.maxFileBytes),
      }),
    [installation.maxBytes, installation.maxFileBytes],
  );
  const form = useContractForm(schema, { defaultValues: { maxBytes: typed(own.maxBytes, units.GB), maxFileBytes: typed(own.maxFileBytes, units.MB) } });
  const submitting = useSubmit(form, {
    send: (body: z.output<typeof schema>) => change({ siteId, revision, body }),
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'resources:storage.saved' } }));
      onClose();
    },
  });
  return { form, ...submitting };
}

/** What occupies the storage of a site. */
function Use({ storage }: { readonly storage: ResourceStorage }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { usedBytes, maxBytes, kinds, uploadingBytes, freeableBytes } = storage;
  const size = (bytes: number): string => bytesText(bytes, format);
  return (
    <div className="resource-storage-use">
      <p>{t('storage.used', { used: size(usedBytes), max: size(maxBytes), file: size(storage.maxFileBytes) })}</p>
      <ProgressBar label={t('storage.title')} share={Math.min(1, usedBytes / maxBytes)} />
      <dl className="resource-facts">
        {kinds.map(({ kind, bytes }) => (
          <div key={kind}>
            <dt>{t(`kind.${kind}`)}</dt>
            <dd>{size(bytes)}</dd>
          </div>
        ))}
        {uploadingBytes > 0 && (
          <div>
            <dt>{t('storage.uploading')}</dt>
            <dd>{size(uploadingBytes)}</dd>
          </div>
        )}
      </dl>
      {freeableBytes > 0 && <p>{t('storage.freeable', { size: size(freeableBytes) })}</p>}
    </div>
  );
}

/** What a site stores, and the limits, which its administrators change. */
const StorageDialog = ({
  siteId,
  storage,
  onClose,
}: {
  readonly siteId: string;
  readonly storage: ResourceStorage;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('resources');
  const site = useAppSelector((state) => selectSite(state, siteId));
  const mayChange = site !== undefined && mayOnSite(site.role, 'resources.configure');
  const { form, submit, busy, failure } = useLimitsForm(siteId, storage, onClose);
  const field = { control: form.control, optional: true, verbatim: true, inputMode: 'text' } as const;
  const max = typed(storage.installation.maxBytes, units.GB);
  const maxFile = typed(storage.installation.maxFileBytes, units.MB);
  return (
    <FormDialog
      form={form}
      title={t('storage.title')}
      lead={<Use storage={storage} />}
      submitLabel={mayChange ? t('storage.save') : null}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {mayChange && (
        <>
          <TextField {...field} name="maxBytes" label={t('storage.max')} help={t('storage.maxHelp', { max })} placeholder={max} />
          <TextField {...field} name="maxFileBytes" label={t('storage.maxFile')} help={t('storage.maxFileHelp', { max: maxFile })} placeholder={maxFile} />
        </>
      )}
    </FormDialog>
  );
};

export default StorageDialog;
