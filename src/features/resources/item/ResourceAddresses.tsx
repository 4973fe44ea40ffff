import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceAddress } from '@contract/resources/addresses';
import { pictureSnippet, srcsetOf } from '@contract/resources/snippets';
import type { Resource } from '@contract/resources/schemas';
import type { Site } from '@contract/sites/schemas';
import { CopyButton } from '@/ui/CopyButton';
import { ExpiringLink } from './ExpiringLink';

type Props = { readonly site: Site; readonly resource: Resource; readonly mayWrite: boolean };

/** Where readers of the site get the file, and code that shows it. */
function PublicAddress({ site, resource }: Omit<Props, 'mayWrite'>): ReactElement {
  const { t } = useTranslation('resources');
  const { kind, alt } = resource;
  // Sites whose pages are hosted elsewhere get their files from the host of the console.
  const addressed = { ...resource, origin: site.systemHost ?? location.origin };
  const picture = kind === 'image' || kind === 'svg' ? { ...addressed, kind, alt: alt[site.defaultLang] ?? Object.values(alt)[0] ?? '' } : null;
  return (
    <>
      <CopyButton text={resourceAddress(addressed)}>{t('item.copyAddress')}</CopyButton>
      {picture && (
        <>
          <CopyButton text={pictureSnippet(picture, 'html')}>{t('address.html')}</CopyButton>
          <CopyButton text={pictureSnippet(picture, 'markdown')}>{t('address.markdown')}</CopyButton>
          {picture.kind === 'image' && <CopyButton text={pictureSnippet(picture, 'picture')}>{t('address.picture')}</CopyButton>}
          {picture.kind === 'image' && picture.width !== null && picture.height !== null && (
            <CopyButton text={srcsetOf({ ...picture, width: picture.width, height: picture.height })}>{t('address.srcset')}</CopyButton>
          )}
        </>
      )}
    </>
  );
}

/** Addresses of a resource outside the console. */
export function ResourceAddresses({ site, resource, mayWrite }: Props): ReactElement {
  return (
    <div className="resource-actions">
      {resource.visibility === 'public' && <PublicAddress site={site} resource={resource} />}
      {mayWrite && <ExpiringLink key={resource.sha256} siteId={site.id} resource={resource} />}
    </div>
  );
}
