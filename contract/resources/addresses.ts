import { editName } from './edits';
import type { ImageEdit, Size } from './edits';
import { captionUses, resourcePresetNames, resourcePresets, videoFormats } from './terms';
import type { CaptionUse, ResourceKind, ResourcePreset, VideoFormat } from './terms';

/** Addresses under which resources are delivered. Every address is built here, and read by `server/areas/resources/requested.ts`. */

/** First segment of the path of all delivered resources. */
export const resourceRoot = '/_r';

/** What an address shows: the file itself, a variant of an image, or a version of a video. */
export const deliveredVariants = ['original', ...resourcePresetNames, ...videoFormats] as const;
export type DeliveredVariant = (typeof deliveredVariants)[number];

/** The point that crops keep visible, as shares of width and height. */
export type FocalPoint = { readonly focalX: number; readonly focalY: number };
/** `origin`: where the site delivers its resources, without a slash at the end; empty for addresses within the site. */
type Named = { readonly origin?: string; readonly id: string; readonly name: string };
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

/**
 * A file name as the last segment of a path. It only informs people: the server ignores it. Slashes, which proxies treat differently when they are encoded,
 * become `_`; a name of dots, which browsers resolve as a folder, becomes `file`.
 */
export function nameInAddress(name: string): string {
  const safe = name.replaceAll(/[/\\]|\p{Surrogate}/gu, '_');
  if (/^\.{0,2}$/.test(safe)) return 'file';
  return encodeURIComponent(safe).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An address that shows the current version; caches revalidate it each time. */
export const aliasAddress = ({ origin = '', id, name }: Named): string => `${origin}${resourceRoot}/${id}/${nameInAddress(name)}`;

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
const captionPath = /^\/_r\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/captions\/([A-Za-z\d-]{2,35})\.([a-z]+)\.vtt$/;

/** Address of captions of a public video. */
export const captionAddress = ({ origin = '', id, language, use }: Pick<Named, 'origin' | 'id'> & Track): string =>
  `${origin}${resourceRoot}/${id}/captions/${language}.${use}.vtt`;

/** Reads the path of an address of captions; null if it is none. */
export function requestedCaption(path: string): ({ readonly id: string } & Track) | null {
  const [, id = '', language = '', name] = captionPath.exec(path) ?? [];
  const use = captionUses.find((one) => one === name);
  return use === undefined ? null : { id, language, use };
}

/** `width` and `height`: as it is shown, turned and cropped. */
export type AddressedImage = AddressedResource & Size;

/** Presets that show the whole image, the smallest first. */
const wholePresets = resourcePresetNames
  .filter((preset) => resourcePresets[preset].fit === 'inside')
  .toSorted((a, b) => resourcePresets[a].width - resourcePresets[b].width);

/** Size of an image in a preset that shows all of it; never larger than the image. */
function sizeIn(preset: ResourcePreset, { width, height }: Size): Size {
  const box = resourcePresets[preset];
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Value of `srcset`: variants of an image that show all of it, each width once, the smallest first. */
export function srcsetOf(image: AddressedImage): string {
  const byWidth = new Map<number, string>();
  for (const preset of wholePresets) {
    const { width } = sizeIn(preset, image);
    if (!byWidth.has(width)) byWidth.set(width, resourceAddress({ ...image, preset }));
  }
  return [...byWidth].map(([width, address]) => `${address} ${width}w`).join(', ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
const inMarkdown = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]`*_<>!&]/g, String.raw`\$&`);

/** `picture`: on narrow screens the square around the focal point. */
export type SnippetFormat = 'html' | 'markdown' | 'picture';
export type PictureSource = AddressedResource & {
  readonly kind: Extract<ResourceKind, 'image' | 'svg'>;
  /** Null if the SVG does not state its size. */
  readonly width: number | null;
  readonly height: number | null;
  /** Alternative text; empty for decoration. */
  readonly alt: string;
};

/**
 * Code that shows an image in a page. The server chooses the format by the `Accept` header, so an `<img>` with `srcset` suffices where files with an address for
 * each format need a `<picture>`; that is for another part of the image on narrow screens.
 */
export function pictureSnippet({ kind, width, height, alt, ...resource }: PictureSource, format: SnippetFormat): string {
  const scales = kind === 'image' && width !== null && height !== null;
  const source = resourceAddress({ ...resource, preset: scales ? 'medium' : 'original' });
  if (format === 'markdown') return `![${inMarkdown(alt)}](${source})`;
  const size = width === null || height === null ? null : scales ? sizeIn('medium', { width, height }) : { width, height };
  const attributes = [
    ['src', source],
    ...(scales && size
      ? [
          ['srcset', srcsetOf({ ...resource, width, height })],
          ['sizes', `(max-width: ${size.width}px) 100vw, ${size.width}px`],
        ]
      : []),
    ...(size
      ? [
          ['width', String(size.width)],
          ['height', String(size.height)],
        ]
      : []),
    ['alt', alt],
    ['loading', 'lazy'],
    ['decoding', 'async'],
  ];
  const image = `<img ${attributes.map(([name, value = '']) => `${name}="${inHtml(value)}"`).join(' ')}>`;
  if (format !== 'picture' || !scales) return image;
  const { square } = resourcePresets;
  const narrow = inHtml(resourceAddress({ ...resource, preset: 'square' }));
  return `<picture><source media="(max-width: 480px)" srcset="${narrow}" width="${square.width}" height="${square.height}">${image}</picture>`;
}

export type VideoSource = AddressedResource & {
  readonly width: number | null;
  readonly height: number | null;
  readonly posterSha256: string | null;
  /** The original's type and, before it, the versions for all browsers. */
  readonly contentType: string;
  readonly formats: readonly VideoFormat[];
  readonly captions: readonly (Track & { readonly label: string })[];
};

/** Code that shows a video in a page, with its poster and captions; browsers offer captions in the language of the reader. */
export function videoSnippet({ width, height, posterSha256, contentType, formats, captions, ...resource }: VideoSource): string {
  const attributes = [
    ...(formats.length === 0 ? [['src', resourceAddress(resource)]] : []),
    ...(width === null || height === null
      ? []
      : [
          ['width', String(width)],
          ['height', String(height)],
        ]),
    ...(posterSha256 === null ? [] : [['poster', posterAddress({ ...resource, posterSha256 }, 'large')]]),
  ];
  const tracks = captions.map(
    ({ language, use, label }) =>
      `  <track kind="${use}" srclang="${language}" label="${inHtml(label)}" src="${captionAddress({ ...resource, language, use })}">\n`,
  );
  // Captions from another host need the permission of that host.
  const crossOrigin = captions.length > 0 && resource.origin ? ' crossorigin="anonymous"' : '';
  const sources = [...formats.map((preset) => ({ preset, type: `video/${preset}` })), { preset: 'original' as const, type: contentType }].map(
    ({ preset, type }) => `  <source src="${resourceAddress({ ...resource, preset })}" type="${inHtml(type)}">\n`,
  );
  const start = `<video controls preload="metadata"${crossOrigin}${attributes.map(([name, value = '']) => ` ${name}="${inHtml(value)}"`).join('')}>`;
  const children = [...(formats.length === 0 ? [] : sources), ...tracks];
  return children.length === 0 ? `${start}</video>` : `${start}\n${children.join('')}</video>`;
}
