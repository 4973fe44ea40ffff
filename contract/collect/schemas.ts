import { z } from 'zod';
import { SiteId } from '../sites/schemas';

/**
 * Body that the tracker sends to `POST /collect` (and `/_a/collect` on delivered sites), as text/plain JSON so that no preflight is needed and `sendBeacon`
 * works. Names have one letter because every byte is sent millions of times.
 *
 * A hit is identified by (view, seq): `p` is a random id per page view, `q` counts the hits of that view from 0. Sending the same hit twice therefore changes
 * nothing, and gaps in `q` show how many hits never arrived. Time is sent as an age (`a`, milliseconds between the event and the request), so it does
 * not matter whether the sender's clock is right; the clock itself (`d`) only orders hits.
 */
export const limits = {
  /** Maximum size of a request body in bytes. */
  bodyBytes: 64 * 1024,
  hitsPerRequest: 50,
  /** Maximum lengths; longer values are truncated, not refused. */
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
  /** Distinct event names per site and day of the site; further names are stored as `(other)`. */
  eventNamesPerDay: 1000,
  /**
   * Limits per visitor and day (UTC); hits beyond either are stored but belong to no visit. Bytes are those that hits take in memory: about 1 kB plus twice
   * their text.
   */
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
  /** URL of the page, with query and fragment. */
  l: z.string(),
  /** Title. */
  n: z.string().optional(),
  /** Referrer: document.referrer for the first view of a document, the previous URL for later ones. */
  r: z.string().optional(),
  /** Screen width and height in CSS pixels. */
  w: z.int().min(0).max(65535).optional(),
  h: z.int().min(0).max(65535).optional(),
  /** Language of the browser. */
  g: z.string().max(35).optional(),
  /** Visible and focused milliseconds of this view so far (cumulative, so order and repeats do not matter). */
  m: z.number().optional(),
  /** Deepest scroll of this view, percent. */
  d: z.int().min(0).max(100).optional(),
  /** Event name and properties, for k = 'e'. */
  e: z.string().optional(),
  o: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  /** True when the browser reports that a program drives it (navigator.webdriver). */
  b: z.boolean().optional(),
});
export type Hit = z.infer<typeof Hit>;

export const CollectBody = z.object({
  s: SiteId,
  /** Visitor id stored by the browser; absent without consent, with GPC, and on cookieless sites. */
  u: Hex16.optional(),
  /** Present when the fragment of a URL is part of its path (`data-hash`). */
  f: z.string().max(100).optional(),
  /** Platform version and device model, as Chromium's User-Agent Client Hints report them to a script; classified but not stored. */
  c: z.tuple([z.string().max(100), z.string().max(100)]).optional(),
  /** The sender's clock, epoch ms. It keeps hits in order when an earlier request of the same browser arrives late. */
  d: z.number().optional(),
  h: z.array(z.unknown()).min(1).max(limits.hitsPerRequest),
});
export type CollectBody = { s: string; u?: string; f?: string; c?: [platformVersion: string, model: string]; d?: number; h: Hit[] };

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
  /** The browser opts out of being counted (DNT, Sec-GPC), and the site honours that. */
  'opted_out',
] as const;
/** Stored name of events beyond `eventNamesPerDay`. */
export const otherEvent = '(other)';
export type RefusalCode = (typeof refusalCodes)[number];

/** Response body of 202: every hit not listed in `refused` is durable. */
export type CollectResponse = { accepted: number; refused: { index: number; code: RefusalCode }[] };
