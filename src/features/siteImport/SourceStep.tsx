import { Box, Button, Checkbox, FormControlLabel, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteImport } from '@contract/siteImport/schemas';
import { siteImportLimits } from '@contract/siteImport/terms';
import { bytesText } from '@/lib/bytes';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import type { Uploads } from '@/store/useUploads';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useFileDrop } from '@/ui/useFileDrop';
import { ImportList } from './ImportList';
import { useCreateSiteImportMutation, useDetectSiteImportMutation } from './siteImportApi';

type Props = {
  /** An import whose file has not arrived completely. */
  readonly it: SiteImport | undefined;
  readonly uploads: Uploads<SiteImport>;
  readonly onOpen: (id: string) => void;
};
const accepted = '.zip,.xml,.gz,.json,.csv,.tsv,.txt';

function FilePlace({ busy, onFile }: { readonly busy: boolean; readonly onFile: (file: File) => void }): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const { over, place, input, choose } = useFileDrop(([file]) => {
    if (file && !busy) onFile(file);
  });
  return (
    <div className="import-drop" data-over={over ? '' : undefined} {...place}>
      <b>{t('source.drop')}</b>
      <p>{t('source.kinds')}</p>
      <Button variant="contained" disabled={busy} onClick={choose}>
        {t('source.choose')}
      </Button>
      <p>{t('source.limit', { size: bytesText(siteImportLimits.fileBytes, format) })}</p>
      <input {...input} accept={accepted} aria-label={t('source.choose')} />
    </div>
  );
}

const withScheme = (typed: string): string => (typed.trim() === '' || /^https?:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`);

function AddressForm({ busy, onAddress }: { readonly busy: boolean; readonly onAddress: (address: string, pages: number) => void }): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const [url, setUrl] = useState('');
  const [owned, setOwned] = useState(false);
  const [pages, setPages] = useState('500');
  const [tried, setTried] = useState(false);
  const isValid = URL.canParse(withScheme(url)) && withScheme(url) !== '';
  const count = Number(pages);
  const countValid = Number.isInteger(count) && count >= 1 && count <= siteImportLimits.pages;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isValid && owned && countValid) onAddress(withScheme(url), count);
  };
  return (
    <Box component="form" noValidate onSubmit={submit} aria-label={t('source.address')} sx={{ display: 'grid', gap: 2 }}>
      <Field label={t('source.url')} help={t('source.urlHelp')} error={tried && !isValid ? t('source.urlWrong') : undefined}>
        {(control) => (
          <OutlinedInput fullWidth value={url} onChange={({ target }) => setUrl(target.value)} inputProps={{ ...control, inputMode: 'url', maxLength: 2000 }} />
        )}
      </Field>
      <Box sx={{ maxWidth: 220 }}>
        <Field
          label={t('source.pages')}
          help={t('source.pagesHelp', { most: format.number(siteImportLimits.pages) })}
          error={tried && !countValid ? t('source.pagesWrong') : undefined}
        >
          {(control) => (
            <OutlinedInput
              fullWidth
              value={pages}
              onChange={({ target }) => setPages(target.value)}
              inputProps={{ ...control, inputMode: 'numeric', maxLength: 5 }}
            />
          )}
        </Field>
      </Box>
      <FormControlLabel control={<Checkbox checked={owned} onChange={(_event, on) => setOwned(on)} />} label={t('source.mayCopy')} />
      {tried && !owned && (
        <p role="alert" className="import-error">
          {t('source.mayCopyNeeded')}
        </p>
      )}
      <Button type="submit" variant="outlined" disabled={busy} sx={{ justifySelf: 'start' }}>
        {t('source.read')}
      </Button>
    </Box>
  );
}

/** Where the content comes from: a file that is uploaded, or an address that is read. Both lead to the plan. */
export function SourceStep({ it, uploads, onOpen }: Props): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const [create, creating] = useCreateSiteImportMutation();
  const [detect, detecting] = useDetectSiteImportMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const upload = it && uploads.of(it.id);
  const busy = creating.isLoading || detecting.isLoading || upload?.sending === true;

  const read = async (id: string): Promise<void> => {
    const { error } = await detect({ id });
    if (isFailure(error)) setFailure(error);
    else onOpen(id);
  };
  const send = async (file: File): Promise<void> => {
    setFailure(null);
    const isSame = it !== undefined && it.name === file.name && it.size === file.size;
    const { data = isSame ? it : undefined, error } = isSame ? {} : await create({ body: { name: file.name.slice(-200), size: file.size } });
    if (isFailure(error)) return setFailure(error);
    if (!data) return undefined;
    onOpen(data.id);
    const { sent, failure: broken } = await uploads.send(data, [file]);
    if (broken) setFailure(broken);
    if (sent) await read(data.id);
    return undefined;
  };
  const start = async (address: string, pages: number): Promise<void> => {
    setFailure(null);
    const { data, error } = await create({ body: { address, pages, mayCopy: true } });
    if (isFailure(error)) setFailure(error);
    else if (data) await read(data.id);
  };
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {upload?.sending === true && it ? (
        <JobProgress
          title={t('source.sending', { name: it.name })}
          share={shareDone(upload.stored[0] ?? 0, it.size)}
          detail={`${bytesText(upload.stored[0] ?? 0, format)} / ${bytesText(it.size, format)}`}
          {...(upload.waiting && { note: t('source.waiting') })}
          stop={{ label: t('source.pause'), busy: false, onStop: () => uploads.pause(it.id) }}
        />
      ) : (
        <>
          {it?.state === 'uploading' && <p role="status">{t('source.resume', { name: it.name })}</p>}
          <FilePlace busy={busy} onFile={(file) => void send(file)} />
          <section aria-labelledby="import-address">
            <h2 id="import-address">{t('source.address')}</h2>
            <p className="import-quiet">{t('source.addressText')}</p>
            <AddressForm busy={busy} onAddress={(address, pages) => void start(address, pages)} />
          </section>
        </>
      )}
      {failure && <ErrorPanel title={t('source.failed')} failure={failure} />}
      <ImportList onOpen={onOpen} />
    </Box>
  );
}
