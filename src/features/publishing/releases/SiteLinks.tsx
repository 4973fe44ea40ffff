import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { copyText } from '@/lib/copyText';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { visitAddress } from '../atOnce/baseApi';
import { useEndPreviewsMutation, usePreviewSiteMutation } from '../publishingApi';

/** Seconds for which a copied preview link works: a week. */
const previewSeconds = 604_800;

/** A link to the working copy for people without an account. Where the clipboard cannot be used, the link is shown. */
function PreviewLink({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const [create, { isLoading }] = usePreviewSiteMutation();
  const [address, setAddress] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const { data, error } = await create({ siteId: site.id, body: { expiresIn: previewSeconds } });
    if (!data) return notifyFailure(dispatch, error);
    const isCopied = await copyText(`${data.address}/`);
    setAddress(isCopied ? null : `${data.address}/`);
    if (isCopied) dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:preview.copied' } }));
  };
  return (
    <>
      <Button variant="outlined" aria-busy={isLoading} onClick={() => void copy()}>
        {t('preview.copy')}
      </Button>
      {address !== null && (
        <span className="publishing-address">
          {address} <CopyButton text={address} label={t('preview.copy')} />
        </span>
      )}
    </>
  );
}

/** Ends the preview links that people have, for example of one that reached the wrong person. */
function EndPreviews({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [end, { isLoading }] = useEndPreviewsMutation();
  const endAll = async (): Promise<void> => {
    if (!(await confirm({ title: t('preview.endTitle'), body: t('preview.endText'), confirm: t('preview.end') }))) return;
    const { error } = await end({ siteId });
    if (error === undefined) dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:preview.ended' } }));
    else notifyFailure(dispatch, error);
  };
  return (
    <Button aria-busy={isLoading} onClick={() => void endAll()}>
      {t('preview.end')}
    </Button>
  );
}

/** The site as visitors see it, and as it would be after the next release. */
export function SiteLinks({ site }: { readonly site: Site }): ReactElement | null {
  const { t } = useTranslation('publishing');
  if (site.systemHost === null) return null;
  return (
    <div className="publishing-buttons">
      <a className="text-link" href={site.visibility === 'private' ? visitAddress(site.id) : site.systemHost} target="_blank" rel="noreferrer">
        {t('visit')}
      </a>
      <span className="publishing-address publishing-quiet">{site.systemHost}</span>
      {mayOnSite(site.role, 'site.compose') && (
        <>
          <PreviewLink site={site} />
          <EndPreviews siteId={site.id} />
        </>
      )}
    </div>
  );
}
