import { useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { contentAddress, variantAddress } from '../resourcesApi';
import { useTracks } from './useTracks';
import type { ShownTrack } from './useTracks';
import './media.css';

/** Plays a video with its poster and captions; it loads only the parts that are played. */
export function VideoPlayer({
  siteId,
  resource,
  player,
  tracks,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly player: RefObject<HTMLVideoElement | null>;
  readonly tracks: readonly ShownTrack[];
}): ReactElement {
  const { t } = useTranslation('resources');
  const [failed, setFailed] = useState<string | null>(null);
  const { name, sha256, posterSha256, width, height } = resource;
  useTracks(player, tracks);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are added to the element */}
      <video
        ref={player}
        className="resource-video"
        src={contentAddress(siteId, resource)}
        {...(posterSha256 === null ? {} : { poster: variantAddress(siteId, { ...resource, sha256: posterSha256 }, 'medium') })}
        {...(width === null || height === null ? {} : { style: { aspectRatio: `${String(width)} / ${String(height)}` } })}
        controls
        preload="metadata"
        aria-label={name}
        onError={() => setFailed(sha256)}
      />
      {failed === sha256 && <p role="alert">{t('media.cannotPlay')}</p>}
    </>
  );
}
