import { Alert } from '@mui/material';
import { useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Caption } from '@contract/resources/media';
import { playbackOf } from '@contract/resources/playback';
import type { Resource } from '@contract/resources/schemas';
import { parseVtt } from '@contract/resources/vtt';
import type { Site } from '@contract/sites/schemas';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { useFileDrop } from '@/ui/useFileDrop';
import { Captions } from './Captions';
import { Conversions } from './Conversions';
import { frameOf, imageOf } from './frameImage';
import { useRemoveResourcePosterMutation, useResourceCaptionsQuery, useResourceConversionsQuery, useSetResourcePosterMutation } from './mediaApi';
import { VideoPlayer } from './VideoPlayer';

const none: readonly Caption[] = [];

/** Picks the poster: the frame that the player shows, or an image. */
function PosterActions({
  siteId,
  resource: { id, posterSha256 },
  player,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly player: RefObject<HTMLVideoElement | null>;
}): ReactElement {
  const { t } = useTranslation('resources');
  const [unread, setUnread] = useState(false);
  const [set, setting] = useSetResourcePosterMutation();
  const [remove, removing] = useRemoveResourcePosterMutation();
  const send = async (image: Promise<string | null>): Promise<void> => {
    const found = await image;
    setUnread(found === null);
    if (found !== null) await set({ siteId, id, body: { image: found } });
  };
  const choice = useFileDrop(([file]) => file && void send(imageOf(file)));
  const failure = [setting.error, removing.error].find((error): error is ApiFailure => isFailure(error));
  return (
    <>
      <div className="resource-actions">
        <PlainButton data-quiet="" aria-busy={setting.isLoading} onClick={() => player.current && void send(frameOf(player.current))}>
          {t('media.posterFrame')}
        </PlainButton>
        <PlainButton data-quiet="" onClick={choice.choose}>
          {t('media.posterFile')}
        </PlainButton>
        <input {...choice.input} accept="image/*" aria-label={t('media.posterFile')} />
        {posterSha256 !== null && (
          <PlainButton data-quiet="" aria-busy={removing.isLoading} onClick={() => void remove({ siteId, id })}>
            {t('media.posterRemove')}
          </PlainButton>
        )}
      </div>
      {unread && <p role="alert">{t('media.posterUnread')}</p>}
      {failure && <ErrorPanel failure={failure} />}
    </>
  );
}

/** Says where a video does not play, and what helps, unless it was converted to MP4. */
function PlaybackNote({
  siteId,
  resource: { id, media },
  mayWrite,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly mayWrite: boolean;
}): ReactElement | null {
  const { t } = useTranslation('resources');
  const { data: conversions, isLoading } = useResourceConversionsQuery({ siteId, id });
  const playback = playbackOf(media);
  if ((playback !== 'some' && playback !== 'none') || isLoading || conversions?.files.some(({ format }) => format === 'mp4') === true) return null;
  const help = conversions && mayWrite ? (conversions.isAvailable ? 'noneConvert' : 'noneReplace') : 'none';
  return (
    <Alert severity={playback === 'none' ? 'warning' : 'info'} variant="outlined">
      {t(`media.playback.${playback === 'none' ? help : playback}`)}
    </Alert>
  );
}

/** Player, poster and captions of a video. `children`: below the player. */
export function VideoPart({
  site,
  resource,
  mayWrite,
  children,
}: {
  readonly site: Site;
  readonly resource: Resource;
  readonly mayWrite: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const player = useRef<HTMLVideoElement>(null);
  const { data: captions = none, error } = useResourceCaptionsQuery({ siteId: site.id, id: resource.id });
  const tracks = useMemo(() => captions.map(({ source, ...caption }) => ({ ...caption, cues: parseVtt(source).cues })), [captions]);
  return (
    <div className="resource-media">
      <VideoPlayer siteId={site.id} resource={resource} player={player} tracks={tracks} />
      <PlaybackNote siteId={site.id} resource={resource} mayWrite={mayWrite} />
      {mayWrite && <PosterActions siteId={site.id} resource={resource} player={player} />}
      {children}
      {isFailure(error) ? <ErrorPanel failure={error} /> : <Captions site={site} resource={resource} captions={captions} mayWrite={mayWrite} />}
      <Conversions key={resource.sha256} site={site} resource={resource} mayWrite={mayWrite} />
    </div>
  );
}
