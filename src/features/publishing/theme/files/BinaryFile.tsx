import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeFile } from '@contract/publishing/themeFiles';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { fileAddress } from '../themeApi';

/** A picture, font or other file that is no text. */
export function BinaryFile({ siteId, file }: { readonly siteId: string; readonly file: ThemeFile }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  // The hash makes the browser load a replaced picture anew.
  const address = `${fileAddress(siteId, file.path)}&v=${file.sha256.slice(0, 8)}`;
  return (
    <div className="theme-binary">
      {/\.(?:png|jpe?g|gif|webp|avif|ico)$/i.test(file.path) && <img src={address} alt={file.path} />}
      <p>
        {bytesText(file.bytes, format)} ·{' '}
        <a className="text-link in-text" href={fileAddress(siteId, file.path)} download>
          {t('theme.files.download')}
        </a>
      </p>
    </div>
  );
}
