import type { MediaDetails } from '../../../../contract/resources/terms';
import type { StoredFile } from '../../../stores/files/storedFile';

/** What a container says; `seconds` 0 and `width` null if it does not say. Width and height upright, in pixels. */
export type MediaFacts = { readonly width: number | null; readonly height: number | null; readonly seconds: number; readonly media: MediaDetails };

/** Bytes of a file from `start`; fewer at its end. */
export async function rangeOf(file: StoredFile, start: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of file.read({ start, end: start + length - 1 }) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
