import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeName } from '../text';
import { resourceMediaCalls as calls } from './mediaCalls';
import { Resource } from './schemas';
import { captionUses, posterBytes, videoFormats } from './terms';
import { vttLimits } from './vtt';

/** Previews of attachments; posters and captions of videos. */

const R = z.object({ siteId: SiteId, id: rowId });
const T = R.extend({ language: LocaleTag, use: z.enum(captionUses) });
const read = { access: { site: 'resources.read' }, token: 'resources:read' } as const;
const write = { access: { site: 'resources.write' }, token: 'resources:write' } as const;

export const Caption = z.object({
  language: z.string(),
  use: z.enum(captionUses),
  /** Name of the track in the menu of players. */
  label: z.string(),
  /** WebVTT. */
  source: z.string(),
  revision: z.int(),
  updatedAt: z.iso.datetime(),
});
export type Caption = z.infer<typeof Caption>;

export const resourceMediaEndpoints = {
  resourcePreview: endpoint(calls.resourcePreview, {
    ...read,
    kind: 'file',
    summary: 'A preview as a page without scripts: the beginning of a text or table, or the list of files in a ZIP archive. A PDF is sent unchanged',
    params: R,
    query: z.object({ scheme: z.enum(['light', 'dark']).default('light') }),
    errors: ['not_found'],
    ratePerMinute: 120,
  }),
  setResourcePoster: endpoint(calls.setResourcePoster, {
    ...write,
    summary: 'Set the image that a video shows before it plays',
    params: R,
    body: z.strictObject({ image: z.base64().max(Math.ceil(posterBytes / 3) * 4) }),
    response: Resource,
    errors: ['not_found', 'invalid_fields', 'too_large', 'unavailable'],
    bodyLimit: Math.ceil(posterBytes / 3) * 4 + 1024,
    ratePerMinute: 60,
  }),
  removeResourcePoster: endpoint(calls.removeResourcePoster, {
    ...write,
    summary: 'Remove the poster of a video',
    params: R,
    response: Resource,
    errors: ['not_found'],
  }),
  resourceConversions: endpoint(calls.resourceConversions, {
    ...read,
    summary: 'Formats of a video for all browsers, and whether the server can convert videos (with ffmpeg)',
    params: R,
    response: z.object({
      isAvailable: z.boolean(),
      files: z.array(z.object({ format: z.enum(videoFormats), bytes: z.int() })),
      /** The job that is converting this video. */
      jobId: z.uuid().nullable(),
    }),
    errors: ['not_found'],
  }),
  convertVideo: endpoint(calls.convertVideo, {
    ...write,
    summary: 'Convert a video to another format with at most 720 lines. A site converts one video at a time, and each to a format once (`conflict`)',
    params: R,
    body: z.strictObject({ format: z.enum(videoFormats) }),
    response: z.object({ jobId: z.uuid() }),
    errors: ['not_found', 'conflict', 'unavailable'],
    ratePerMinute: 30,
  }),
  resourceCaptions: endpoint(calls.resourceCaptions, {
    ...read,
    summary: 'Captions of a video in all languages',
    params: R,
    response: z.array(Caption),
    errors: ['not_found'],
  }),
  saveResourceCaption: endpoint(calls.saveResourceCaption, {
    ...write,
    summary: 'Add or change captions in a language; `revision` is 0 for new ones',
    params: T,
    body: z.strictObject({ label: safeName(vttLimits.label), source: z.string().min(1).max(vttLimits.characters), revision: z.int().min(0) }),
    response: Caption,
    errors: ['not_found', 'invalid_fields', 'stale_revision', 'too_large'],
    // Characters of more than one byte.
    bodyLimit: vttLimits.characters * 4,
  }),
  removeResourceCaption: endpoint(calls.removeResourceCaption, { ...write, summary: 'Delete captions', params: T, errors: ['not_found'] }),
};
