import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviewKind } from '@contract/resources/previews';
import type { Resource } from '@contract/resources/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { Icon } from '@/ui/Icon';
import { previewAddress } from './mediaApi';
import './media.css';

/**
 * The preview of an attachment in a frame. The server sends it with a policy under which nothing runs; the frame says so once more, except for PDF, whose viewer
 * browsers refuse to show in such a frame. On phones, where such viewers show a part of a page, it opens in a tab.
 */
export function FramePreview({
  siteId,
  resource,
  kind,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly kind: Exclude<PreviewKind, 'audio'>;
}): ReactElement {
  const { t } = useTranslation('resources');
  const scheme = document.documentElement.getAttribute('data-scheme') === 'dark' ? 'dark' : 'light';
  const address = previewAddress(siteId, resource, scheme);
  const title = t('media.frame', { name: resource.name });
  const showsPdf = !useMedia(phone) && navigator.pdfViewerEnabled;
  return (
    <div className="resource-frame">
      {kind !== 'pdf' && <iframe key={address} src={address} title={title} referrerPolicy="no-referrer" sandbox="" />}
      {kind === 'pdf' && showsPdf && (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a frame with it; the policy of the response forbids the same
        <iframe key={address} src={`${address}#toolbar=0&navpanes=0&view=FitH`} title={title} referrerPolicy="no-referrer" data-tall="" />
      )}
      {kind === 'pdf' && !showsPdf && (
        <div className="resource-preview" data-icon="">
          <Icon name="file" size={48} />
        </div>
      )}
      <Button component="a" href={address} target="_blank" rel="noreferrer" size="small">
        {t('media.newTab')}
      </Button>
    </div>
  );
}
