import { nameInAddress, resourceRoot } from './alias';
import type { Named } from './alias';
import { editName } from './editName';
import type { ImageEdit, Size } from './edits';
import { captionUses, resourcePresetNames, resourcePresets, videoFormats } from './terms';
import type { CaptionUse, ResourcePreset } from './terms';
import { uuidPattern } from '../uuid';

/** Addresses under which resources are delivered. Every address is built here and in `alias.ts`, and read by `server/areas/resources/requested.ts`. */

/** What an address delivers: the file itself, a variant of an image, or a video in another format. */
export const deliveredVariants = ['original', ...resourcePresetNames, ...videoFormats] as const;
export type DeliveredVariant = (typeof deliveredVariants)[number];

/** The point that crops keep visible, as shares of width and height. */
export type FocalPoint = { readonly focalX: number; readonly focalY: number };
export type AddressedResource = Named & Partial<FocalPoint> & Partial<ImageEdit> & { readonly sha256: string };

const percent = (share: number): number => Math.round(share * 100);

/**
 * Name of a variant in addresses and in the file store. It contains everything that the variant depends on: the focal point of a preset that is filled, and how
 * the image is turned and cropped: `square-50-30-r90`.
 */
export function variantName(variant: DeliveredVariant, { focalX, focalY, ...edit }: FocalPoint & Partial<ImageEdit>): string {
  const preset = resourcePresetNames.find((name) => name === variant);
  const fills = preset !== undefined && resourcePresets[preset].fit === 'cover';
  return `${variant}${fills ? `-${percent(focalX)}-${percent(focalY)}` : ''}${editName(edit)}`;
}

/** An address that always shows the same content, which caches may store for a year. */
export function resourceAddress({
  origin = '',
  id,
  sha256,
  name,
  focalX = 0.5,
  focalY = 0.5,
  rotation = 0,
  crop = null,
  preset = 'original',
}: AddressedResource & { readonly preset?: DeliveredVariant }): string {
  const variant = variantName(preset, { focalX, focalY, rotation, crop });
  return `${origin}${resourceRoot}/${id}/${sha256.slice(0, 8)}/${variant}/${nameInAddress(name)}`;
}

/** A variant of the poster of a video. */
export const posterAddress = ({ posterSha256, ...video }: AddressedResource & { readonly posterSha256: string }, preset: ResourcePreset): string =>
  resourceAddress({ ...video, sha256: posterSha256, name: 'poster', preset });

type Track = { readonly language: string; readonly use: CaptionUse };
const captionPath = new RegExp(String.raw`^/_r/(${uuidPattern})/captions/([A-Za-z\d-]{2,35})\.([a-z]+)\.vtt$`);

/** Address of captions of a video; of a private one, it must be signed. */
export const captionAddress = ({ origin = '', id, language, use }: Pick<Named, 'origin' | 'id'> & Track): string =>
  `${origin}${resourceRoot}/${id}/captions/${language}.${use}.vtt`;

/** Reads the path of an address of captions; null if it is none. */
export function requestedCaption(path: string): ({ readonly id: string } & Track) | null {
  const [, id = '', language = '', name] = captionPath.exec(path) ?? [];
  const use = captionUses.find((one) => one === name);
  return use === undefined ? null : { id, language, use };
}

/** `width` and `height`: after rotation and crop. */
export type AddressedImage = AddressedResource & Size;
