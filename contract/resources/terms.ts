/** Terms of resources, without zod: images, SVGs, videos and other files of a site. */

export type { ResourceKind } from './kinds';

/** `private`: delivered only at signed addresses, which expire. */
export const resourceVisibilities = ['public', 'private'] as const;
/** `confidential`: only people who may change the site open it, and the audit log says who did. Chosen by what uses it, such as a filing, and final. */
export const allVisibilities = [...resourceVisibilities, 'confidential'] as const;
export type ResourceVisibility = (typeof allVisibilities)[number];

/** A part of an image, as shares of its width and height. */
export type Crop = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What could be read from a video or a sound. Codecs as in RFC 6381. */
export type MediaDetails = {
  readonly container: string;
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  readonly frameRate: number | null;
};

/** Formats into which videos are converted, for browsers that do not play the original. */
export const videoFormats = ['mp4', 'webm'] as const;
export type VideoFormat = (typeof videoFormats)[number];

/** Largest poster of a video, in bytes. */
export const posterBytes = 3 * 1024 * 1024;

/** Uses of a text of a video, as `kind` of an HTML `track`. */
export const captionUses = ['subtitles', 'captions', 'chapters'] as const;
export type CaptionUse = (typeof captionUses)[number];

/** `infected`: nothing of the content is stored. `too_large`: the scanner refuses it, so it is not delivered; `skipped`: the same, but delivered, as configured. */
export const scanResults = ['clean', 'infected', 'too_large', 'skipped'] as const;
export type ScanResult = (typeof scanResults)[number];
/** Whether a content is delivered to nobody. */
export const isBlocked = ({ scan }: { readonly scan: ScanResult | null }): boolean => scan === 'infected' || scan === 'too_large';

export const resourceLimits = {
  /** Longest name of a file or folder, in characters. */
  name: 200,
  /** Longest title and alternative text in one language, in characters. */
  text: 500,
  caption: 2000,
  /** Tags of one resource, and the longest tag in characters. */
  tags: 30,
  tag: 50,
  /** Depth of folders, and number of folders of a site. */
  depth: 8,
  folders: 2000,
  /** Resources in one bulk call. */
  bulk: 500,
  /** Resources that one call replaces by another. */
  replaced: 100,
  /** Rows of a page. */
  page: 200,
  /** Images with more pixels are attachments: nothing is computed from them. */
  pixels: 100_000_000,
  /** Larger images are attachments: nothing is computed from them. In bytes. */
  imageBytes: 64 * 1024 * 1024,
  /** Shortest and longest time for which an address is signed, in seconds. */
  shortestSignature: 60,
  longestSignature: 366 * 86_400,
  /** Larger SVGs are attachments. In bytes. */
  svgBytes: 2 * 1024 * 1024,
  /** SVGs in one sprite, and their bytes together. */
  spriteIcons: 500,
  spriteBytes: 4 * 1024 * 1024,
  /** Days in the bin before a resource is purged. */
  binDays: 30,
  /** Bytes of a chunk of an upload, which must arrive in one request. */
  chunkBytes: 8 * 1024 * 1024,
} as const;

/**
 * Variants of images by name: the longest side of the box in CSS pixels times density, and whether the box is filled (`cover`, around the focal point) or the
 * whole image fits in it.
 */
export const resourcePresets = {
  thumbnail: { width: 320, height: 320, fit: 'inside' },
  square: { width: 320, height: 320, fit: 'cover' },
  small: { width: 640, height: 640, fit: 'inside' },
  medium: { width: 1280, height: 1280, fit: 'inside' },
  large: { width: 2048, height: 2048, fit: 'inside' },
  share: { width: 1200, height: 630, fit: 'cover' },
} as const satisfies Record<string, { width: number; height: number; fit: 'inside' | 'cover' }>;
export type ResourcePreset = keyof typeof resourcePresets;
export const resourcePresetNames = Object.keys(resourcePresets) as ResourcePreset[];

/** Formats of variants, the smallest first. The original's format is used for readers that accept none of them. */
export const variantFormats = ['avif', 'webp', 'jpeg', 'png'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** Why the file at an address cannot be stored. `private`: the address is not public. */
export const addressProblems = ['private', 'unreachable', 'too_large'] as const;
export type AddressProblem = (typeof addressProblems)[number];

/** Filters of the list that need no input. */
export const resourceFilters = ['unused', 'noAlt', 'large', 'gps', 'duplicates'] as const;
/** Bytes above which an image counts as large. */
export const largeImageBytes = 500 * 1024;

export const resourceSorts = ['newest', 'oldest', 'name', 'largest'] as const;
export type ResourceSort = (typeof resourceSorts)[number];

/** Parts of an SVG that are removed when it is accepted. */
export const svgRemovalKinds = ['element', 'attribute', 'declaration', 'rule', 'text', 'comment', 'instruction', 'doctype'] as const;
/**
 * Why: `script` runs code; `external` loads something; `html` is not an image; `link` leads away; `animation` changes what may not be animated; `style` is not
 * allowed in styles; `picture` is embedded data that is no picture or too large; `metadata` is not visible; `tooLong` exceeds a limit; `unknown` is none of what
 * is allowed.
 */
export const svgRemovalReasons = ['script', 'external', 'html', 'link', 'animation', 'style', 'picture', 'metadata', 'tooLong', 'unknown'] as const;
/** `name`: at most 100 characters. `line` counts from 1 and `column` from 0, in the original. */
export type SvgRemoval = {
  readonly kind: (typeof svgRemovalKinds)[number];
  readonly name: string;
  readonly reason: (typeof svgRemovalReasons)[number];
  readonly line: number;
  readonly column: number;
};
