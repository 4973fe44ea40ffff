import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { previewOf } from '@contract/resources/previews';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';
import { textIn } from '@contract/tables/fieldTypes/fileValues';
import { Icon } from '@/ui/Icon';
import { FramePreview } from '../media/FramePreview';
import { contentAddress, variantAddress } from '../resourcesApi';
import { Blocked } from './Blocked';

/** Shows a resource: the picture, a player, or an icon for what browsers may not show in place. */
export function Preview({ siteId, resource }: { readonly siteId: string; readonly resource: Resource }): ReactElement {
  const { t, i18n } = useTranslation('resources');
  const { kind, contentType, width, height, color, name } = resource;
  if (isBlocked(resource)) return <Blocked siteId={siteId} resource={resource} />;
  const content = contentAddress(siteId, resource);
  if (kind === 'image' || kind === 'svg') {
    return (
      <div className="resource-preview" style={{ backgroundColor: color ?? 'transparent' }}>
        <img
          src={kind === 'svg' ? content : variantAddress(siteId, resource, 'medium')}
          alt={textIn(resource.alt, i18n.language) ?? name}
          data-kind={kind}
          {...(width === null || height === null ? {} : { width, height })}
        />
      </div>
    );
  }
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  if (contentType.startsWith('audio/')) return <audio className="resource-preview" src={content} controls preload="metadata" aria-label={name} />;
  const preview = previewOf(resource);
  if (preview !== null && preview !== 'audio') return <FramePreview siteId={siteId} resource={resource} kind={preview} />;
  return (
    <div className="resource-preview" data-icon="">
      <Icon name="file" size={48} />
      <span>{t('item.noPreview')}</span>
    </div>
  );
}
