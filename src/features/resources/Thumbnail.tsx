import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Resource } from '@contract/resources/schemas';
import { isBlocked } from '@contract/resources/terms';
import { Icon } from '@/ui/Icon';
import { kindIcons } from './kinds';
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

/** The extension of a name; empty if it has none that says something. */
const typeIn = (name: string): string => /\.([a-z\d]{1,5})$/iu.exec(name)?.[1]?.toUpperCase() ?? '';

/**
 * The picture of an image or SVG, over its placeholder until it has loaded; the type of an attachment, or an icon. Where it is cut off to fill its box,
 * the focal point stays visible.
 */
export function Thumbnail({ siteId, resource, alt }: { readonly siteId: string; readonly resource: Resource; readonly alt: string }): ReactElement {
  const { kind, name, thumbhash, color, width, height, posterSha256, focalX, focalY } = resource;
  // A video looks like its poster.
  const sha256 = kind === 'video' && posterSha256 !== null ? posterSha256 : resource.sha256;
  // By address: a picture that was replaced or edited loads anew.
  const address = kind === 'svg' ? contentAddress(siteId, resource) : variantAddress(siteId, { ...resource, sha256 }, 'thumbnail');
  const [finished, setFinished] = useState<{ readonly address: string; readonly failed: boolean } | null>(null);
  // It shows the picture as it was uploaded.
  const isEdited = resource.rotation !== 0 || resource.crop !== null;
  const placeholder = useMemo(() => (isEdited ? null : placeholderOf(thumbhash)), [thumbhash, isEdited]);
  const state = finished?.address === address ? finished : null;
  if (isBlocked(resource)) return <Icon name="warning" size={32} />;
  if (resource.visibility === 'confidential') return <Icon name="file" size={32} />;
  if (kind === 'attachment' && typeIn(name) !== '') return <span className="resource-type">{typeIn(name)}</span>;
  if ((kind !== 'image' && kind !== 'svg' && sha256 === resource.sha256) || state?.failed === true) return <Icon name={kindIcons[kind]} size={32} />;
  return (
    <img
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      data-kind={kind}
      {...(width === null || height === null ? {} : { width, height })}
      onLoad={() => setFinished({ address, failed: false })}
      onError={() => setFinished({ address, failed: true })}
      style={{
        objectPosition: `${focalX * 100}% ${focalY * 100}%`,
        ...(state === null ? { backgroundColor: color ?? 'transparent', ...(placeholder === null ? {} : { backgroundImage: `url("${placeholder}")` }) } : {}),
      }}
    />
  );
}
