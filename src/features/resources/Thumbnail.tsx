import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';
import { Icon } from '@/ui/Icon';
import { contentAddress, variantAddress } from './resourcesApi';

/** The preview that a thumbhash contains, as a data address; null if it cannot be read. */
function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null) return null;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}

const icons = { image: 'image', svg: 'image', video: 'play', attachment: 'file' } as const;

/** The picture of an image or SVG, over its placeholder until it has loaded; an icon for other kinds. Fills its box, without changing its proportions. */
export function Thumbnail({ siteId, resource, alt }: { readonly siteId: string; readonly resource: Resource; readonly alt: string }): ReactElement {
  const { kind, thumbhash, color, width, height, sha256 } = resource;
  // By content: a replaced picture loads anew.
  const [finished, setFinished] = useState<{ readonly sha256: string; readonly failed: boolean } | null>(null);
  const placeholder = useMemo(() => placeholderOf(thumbhash), [thumbhash]);
  const state = finished?.sha256 === sha256 ? finished : null;
  if (isBlocked(resource)) return <Icon name="warning" size={32} />;
  if ((kind !== 'image' && kind !== 'svg') || state?.failed === true) return <Icon name={icons[kind]} size={32} />;
  return (
    <img
      src={kind === 'svg' ? contentAddress(siteId, resource) : variantAddress(siteId, resource, 'thumbnail')}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      {...(width === null || height === null ? {} : { width, height })}
      onLoad={() => setFinished({ sha256, failed: false })}
      onError={() => setFinished({ sha256, failed: true })}
      style={state === null ? { backgroundColor: color ?? 'transparent', ...(placeholder === null ? {} : { backgroundImage: `url("${placeholder}")` }) } : {}}
    />
  );
}
