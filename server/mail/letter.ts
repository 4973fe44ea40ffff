import type { Locale } from '../http/access';

/** A letter before it has a shape: words only. Both forms of it (text and HTML) are made from this. */
export type Letter = {
  readonly to: string;
  readonly locale: Locale;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Facts as a list: time, device, place. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[];
  /** Why the reader gets this letter. */
  readonly footer?: string;
  /** Becomes the header List-Unsubscribe and a line in the footer (RFC 2369). */
  readonly unsubscribeUrl?: string;
};

/** A message to a webhook. */
export type Hook = {
  readonly url: string;
  /** Signs the body; only the receiver and this installation know it. */
  readonly secret: string;
  readonly topic: string;
  readonly subject: string;
  readonly text: string;
  readonly site: { readonly id: string; readonly name: string } | null;
  /** Where a person reads more: an address of the console. */
  readonly link: string | null;
};
