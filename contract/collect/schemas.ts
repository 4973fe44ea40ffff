import { z } from 'zod';
import { SiteId } from '../sites/schemas';

/**
 * What the tracker sends to `POST /collect` (and `/_a/collect` on delivered sites), as text/plain JSON so that no
 * preflight is needed and `sendBeacon` works. Names are one letter because every byte is sent a million times.
 *
 * A hit is named by (view, seq): `p` is drawn once per page view, `q` counts the hits of that view from 0. Sending the
 * same hit twice therefore changes nothing, and gaps in `q` tell how many never arrived.
 * Time travels as an age (`a`, milliseconds between the event and this sending), so the sender's clock never matters.
 */
export const limits = {
  /** Bytes of one request. */
  bodyBytes: 64 * 1024,
  hitsPerRequest: 50,
  /** Longer ones are cut, not refused. */
  url: 2000,
  title: 300,
  referrer: 2000,
  eventName: 100,
  props: 30,
  propName: 60,
  propValue: 500,
  /** Characters of all properties of a hit together, as JSON; properties beyond this limit are dropped. */
  propsText: 8000,
  /** Older hits are refused with `too_old`. */
  ageMs: 7 * 24 * 3600 * 1000,
  engagedMs: 24 * 3600 * 1000,
  /** Names of events told apart on one site in one day of the site; later ones are kept as `(other)`. */
  eventNamesPerDay: 1000,
  /** What one visitor sends on one day (UTC) beyond either is stored, and part of no visit. Bytes are those that hits take in memory: about 1 kB and their texts twice. */
  visitorHitsPerDay: 10_000,
  visitorBytesPerDay: 16 * 1024 * 1024,
} as const;

const Hex16 = z.string().regex(/^[0-9a-f]{16}$/);
export const Hit = z.object({
  /** View, event or engagement ping. */
  k: z.enum(['v', 'e', 'g']),
  p: Hex16,
  q: z.int().min(0).max(65535),
  a: z.number(),
  /** Address of the page, with query and fragment. */
  l: z.string(),
  /** Title. */
  n: z.string().optional(),
  /** Referrer: document.referrer for the first view of a document, the previous address for later ones. */
  r: z.string().optional(),
  /** Screen width and height in CSS pixels. */
  w: z.int().min(0).max(65535).optional(),
  h: z.int().min(0).max(65535).optional(),
  /** Language of the browser. */
  g: z.string().max(35).optional(),
  /** Visible and focused milliseconds of this view so far (cumulative, so order and repeats do not matter). */
  m: z.number().optional(),
  /** Deepest scroll of this view, per cent. */
  d: z.int().min(0).max(100).optional(),
  /** Event name and properties, for k = 'e'. */
  e: z.string().optional(),
  o: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  /** True when the browser says it is driven by a program (navigator.webdriver). */
  b: z.boolean().optional(),
});
export type Hit = z.infer<typeof Hit>;

export const CollectBody = z.object({
  s: SiteId,
  /** Visitor id kept by the browser; absent without consent, with GPC, or in cookieless sites. */
  u: Hex16.optional(),
  /** There where the fragment of an address is part of its path (`data-hash`). */
  f: z.string().max(100).optional(),
  /** Version of the platform and model of the device, as Chromium's User-Agent Client Hints tell a script; classified and not stored. */
  c: z.tuple([z.string().max(100), z.string().max(100)]).optional(),
  h: z.array(z.unknown()).min(1).max(limits.hitsPerRequest),
});
export type CollectBody = { s: string; u?: string; f?: string; c?: [platformVersion: string, model: string]; h: Hit[] };

export const refusalCodes = [
  'malformed',
  'too_large',
  'too_many',
  'unknown_site',
  'site_not_active',
  'too_old',
  'journal_full',
  'rate_limited',
  'wrong_host',
  /** The browser asks not to be counted (DNT, Sec-GPC), and the site does as it asks. */
  'opted_out',
] as const;
/** The name of events beyond `eventNamesPerDay`. */
export const otherEvent = '(other)';
export type RefusalCode = (typeof refusalCodes)[number];

/** 202: every hit not named in `refused` is durable. */
export type CollectAnswer = { accepted: number; refused: { index: number; code: RefusalCode }[] };
