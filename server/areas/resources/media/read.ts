import type { StoredFile } from '../../../stores/files/storedFile';
import type { MediaFacts } from './facts';
import { readMatroska } from './matroska';
import { mostBytes, readMp4 } from './mp4';

const readers: readonly (readonly [RegExp, (file: StoredFile, size: number, contentType: string) => Promise<MediaFacts | null>])[] = [
  [/^(?:video|audio)\/(?:mp4|quicktime|x-m4v|x-m4a)$/, readMp4],
  [/^(?:video|audio)\/(?:webm|matroska|x-matroska)$/, readMatroska],
];

/** Longest duration that is believed: a month, in seconds. Widest picture, in pixels. */
const longest = 31 * 86_400;
const widest = 32_768;

const readerOf = (contentType: string) => readers.find(([types]) => types.test(contentType))?.[1];

/** Bytes of a file that `readMedia` has in memory at most. */
export const mediaBytes = (size: number, contentType: string): number => (readerOf(contentType) ? Math.min(size, mostBytes) : 0);

/**
 * Size, duration, codecs and frame rate of a video or sound, as its container states them; a few short reads. Null for containers that are not read, and if
 * the file is truncated or damaged.
 */
export async function readMedia(file: StoredFile, size: number, contentType: string) {
  const reader = readerOf(contentType);
  if (!reader) return null;
  try {
    const facts = await reader(file, size, contentType);
    if (facts === null) return null;
    const { width, height, seconds, media } = facts;
    const isSize = width !== null && height !== null && width <= widest && height <= widest;
    return {
      width: isSize ? width : null,
      height: isSize ? height : null,
      durationMs: seconds > 0 && seconds <= longest ? Math.round(seconds * 1000) : null,
      media: { ...media, frameRate: media.frameRate !== null && media.frameRate <= 1000 ? media.frameRate : null },
    };
  } catch (error) {
    // Numbers outside the buffer: the file ends too early, or lies.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
