import type { MediaDetails } from './terms';

/** In which of today's browsers a video plays. */
export type Playback = 'all' | 'some' | 'none';

const starts = (codec: string | null, names: readonly string[]): boolean =>
  codec === null || names.some((name) => codec === name || codec.startsWith(`${name}.`));

/** Containers, with the codecs that browsers play in them: first those of all browsers, then those of some. */
const known: Readonly<Record<string, { readonly all: readonly string[]; readonly some: readonly string[]; readonly container: Playback }>> = {
  mp4: { container: 'all', all: ['avc1', 'avc3', 'mp4a', 'mp3', 'flac'], some: ['hvc1', 'hev1', 'av01', 'vp09', 'opus', 'ac-3', 'ec-3'] },
  mov: { container: 'some', all: [], some: ['avc1', 'hvc1', 'hev1', 'mp4a'] },
  webm: { container: 'all', all: ['vp8', 'vp9', 'vp09', 'opus', 'vorbis'], some: ['av01'] },
  matroska: { container: 'some', all: [], some: ['avc1', 'vp8', 'vp9', 'av01', 'mp4a', 'opus', 'vorbis', 'mp3', 'flac'] },
};

/** Null if the container or the codecs are not known. */
export function playbackOf(media: MediaDetails | null): Playback | null {
  const browsers = media && known[media.container];
  if (!media || !browsers || (media.videoCodec === null && media.audioCodec === null)) return null;
  const codecs = [media.videoCodec, media.audioCodec];
  if (!codecs.every((codec) => starts(codec, [...browsers.all, ...browsers.some]))) return 'none';
  return browsers.container === 'all' && codecs.every((codec) => starts(codec, browsers.all)) ? 'all' : 'some';
}
