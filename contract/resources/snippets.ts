import { captionAddress, posterAddress, resourceAddress } from './addresses';
import type { AddressedImage, AddressedResource } from './addresses';
import type { Size } from './edits';
import { resourcePresetNames, resourcePresets } from './terms';
import type { CaptionUse, ResourceKind, ResourcePreset, VideoFormat } from './terms';

/** HTML and Markdown that show resources in a page. */

type Track = { readonly language: string; readonly use: CaptionUse };

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
  /** Of the original. */
  readonly contentType: string;
  /** Formats into which it was converted; browsers try them before the original. */
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
