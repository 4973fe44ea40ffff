import { resourceRoot } from '../../../contract/resources/addresses';
import type { DeliveredVariant } from '../../../contract/resources/addresses';
import { resourcePresetNames, resourcePresets } from '../../../contract/resources/terms';

/** What an address names. `version`: the beginning of the hash, null for the current content. `segment`: the variant as the address spells it. */
export type RequestedResource = {
  readonly id: string;
  readonly version: string | null;
  readonly variant: DeliveredVariant;
  readonly segment: string;
};

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;
const pattern = new RegExp(`^${resourceRoot}/(${uuid})/(?:([\\da-f]{8,64})/([a-z]+(?:-\\d{1,3}-\\d{1,3})?)/)?[^/]+$`);

function variantOf(segment: string): DeliveredVariant | null {
  if (segment === 'original') return segment;
  const [name = '', ...focal] = segment.split('-');
  const preset = resourcePresetNames.find((one) => one === name);
  return preset !== undefined && (focal.length === 0 || resourcePresets[preset].fit === 'cover') ? preset : null;
}

/** Reads the path of an address that `contract/resources/addresses.ts` built; null if it is none. The name at its end is ignored. */
export function requestedResource(path: string): RequestedResource | null {
  const [, id, version = null, segment = 'original'] = pattern.exec(path) ?? [];
  const variant = variantOf(segment);
  return id === undefined || variant === null ? null : { id, version, variant, segment };
}
