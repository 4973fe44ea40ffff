import { resourceAddress } from '@contract/resources/addresses';
import type { ResourceLabel } from '@contract/resources/labels';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';

/** What records show of a resource. */
export function labelOf(resource: Resource): ResourceLabel {
  const { id, name, kind, contentType, bytes, sha256, width, height, alt, thumbhash, color, focalX, focalY, rotation, crop, visibility, deletedAt } = resource;
  return {
    id,
    name,
    kind,
    contentType,
    bytes,
    sha256,
    width,
    height,
    alt,
    thumbhash,
    color,
    url: resourceAddress(resource),
    srcset: '',
    focalX,
    focalY,
    rotation,
    crop,
    visibility,
    deleted: deletedAt !== null,
    blocked: isBlocked(resource),
  };
}
