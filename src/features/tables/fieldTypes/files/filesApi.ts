import { resourceContentCalls } from '@contract/resources/contentCalls';
import { editName } from '@contract/resources/editName';
import type { ResourceLabel } from '@contract/resources/labels';
import type { resourceEndpoints } from '@contract/resources/schemas';
import { addressOf, typed } from '@/store/endpoints';

const calls = typed<Pick<typeof resourceEndpoints, keyof typeof resourceContentCalls>>(resourceContentCalls);

/** A picture of an image by its id alone, for texts that do not know its version. */
export const previewAddress = (siteId: string, id: string): string => addressOf(calls.resourceVariant, { siteId, id, preset: 'small' });

type Previewed = Pick<ResourceLabel, 'id' | 'kind' | 'sha256' | 'rotation' | 'crop'>;
const versionOf = ({ sha256 }: Previewed): string => sha256.slice(0, 8);
/** The original in the console; the address changes with the content, so browsers may store it for good. */
export const contentAddress = (siteId: string, file: Pick<Previewed, 'id'> & Partial<Previewed>): string =>
  addressOf(calls.resourceContent, { siteId, id: file.id, ...(file.sha256 === undefined ? {} : { v: file.sha256.slice(0, 8) }) });
/** The address of a picture of a file; null if it has none. `large`: for covers. */
export function pictureAddress(siteId: string, file: Previewed, large = false): string | null {
  if (file.kind === 'svg') return contentAddress(siteId, file);
  if (file.kind !== 'image') return null;
  return addressOf(calls.resourceVariant, { siteId, id: file.id, preset: large ? 'small' : 'thumbnail', v: versionOf(file), edit: editName(file) });
}
