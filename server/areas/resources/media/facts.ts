import type { MediaDetails } from '../../../../contract/resources/terms';
import { bytesOf } from '../../../stores/files/storedFile';
import type { StoredFile } from '../../../stores/files/storedFile';

/** What a container says; `seconds` 0 and `width` null if it does not say. Width and height upright, in pixels. */
export type MediaFacts = { readonly width: number | null; readonly height: number | null; readonly seconds: number; readonly media: MediaDetails };

/** Bytes of a file from `start`; fewer at its end. */
export const rangeOf = async (file: StoredFile, start: number, length: number): Promise<Buffer> =>
  length <= 0 ? Buffer.alloc(0) : bytesOf(file, { start, end: start + length - 1 });
