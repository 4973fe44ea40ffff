import { deliveredVariants } from '../../../contract/resources/addresses';
import { resourceRoot } from '../../../contract/resources/alias';
import type { DeliveredVariant } from '../../../contract/resources/addresses';
import { resourcePresetNames, resourcePresets } from '../../../contract/resources/terms';
import { uuidPattern } from '../../../contract/uuid';

/** What an address names. `version`: the beginning of the hash, null for the current content. `segment`: the variant as the address spells it. */
export type RequestedResource = {
  readonly id: string;
  readonly version: string | null;
  readonly variant: DeliveredVariant;
  readonly segment: string;
};

const edit = String.raw`(?:-r(?:90|180|270))?(?:-c\d{1,5}(?:-\d{1,5}){3})?`;
const pattern = new RegExp(`^${resourceRoot}/(${uuidPattern})/(?:([\\da-f]{8,64})/([a-z]+\\d?(?:-\\d{1,3}-\\d{1,3})?(?:${edit})?)/)?[^/]+$`);

function variantOf(segment: string): DeliveredVariant | null {
  const [, name = '', focal] = /^([a-z]+\d?)(-\d{1,3}-\d{1,3})?/.exec(segment) ?? [];
  const variant = deliveredVariants.find((one) => one === name);
  if (variant === undefined) return null;
  const preset = resourcePresetNames.find((one) => one === variant);
  const fills = preset !== undefined && resourcePresets[preset].fit === 'cover';
  return focal === undefined || fills ? variant : null;
}

/** Reads the path of an address that `contract/resources/addresses.ts` built; null if it is none. The name at its end is ignored. */
export function requestedResource(path: string): RequestedResource | null {
  const [, id, version = null, segment = 'original'] = pattern.exec(path) ?? [];
  const variant = variantOf(segment);
  return id === undefined || variant === null ? null : { id, version, variant, segment };
}
