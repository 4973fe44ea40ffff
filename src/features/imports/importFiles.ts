import { importCalls } from '@contract/imports/calls';
import type { Import, importEndpoints } from '@contract/imports/schemas';
import { addressOf, typed } from '@/store/endpoints';
import type { UploadTarget } from '@/store/useUploads';

const calls = typed<typeof importEndpoints>(importCalls);

export const importTarget = (siteId: string): UploadTarget<Import> => ({
  address: ({ id }, file) => addressOf(calls.importData, { siteId, id, file }),
  stored: ({ files }) => files.map((file) => file.stored),
});

/** Whether the chosen files are those of a started import: same names and sizes, in any order. Returns them in its order. */
export function inOrderOf(it: Pick<Import, 'files'>, chosen: readonly File[]): File[] | null {
  const found = it.files.map((file) => chosen.find((one) => one.name === file.name && one.size === file.size));
  return found.every((file) => file !== undefined) ? found : null;
}
