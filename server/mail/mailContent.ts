import type { Locale } from '../http/access';
import type { Robot } from './robots';

/** The content of a mail, without layout. The text and HTML parts are both generated from it. */
export type MailContent = {
  readonly to: string;
  readonly locale: Locale;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one action offered to the reader. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Facts as a list: time, device, place. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[];
  /** Why the reader receives this mail. */
  readonly footer?: string;
  /** Becomes the header List-Unsubscribe and a line in the footer (RFC 2369). */
  readonly unsubscribeUrl?: string;
};

/** A message to a webhook. */
export type WebhookMessage = {
  readonly url: string;
  /** Signs the body; known only to the receiver and this installation. */
  readonly secret: string;
  readonly topic: string;
  /** What happened, for programs; some topics have it. */
  readonly event?: { readonly type: string; readonly details: object };
  readonly subject: string;
  readonly text: string;
  readonly site: { readonly id: string; readonly name: string } | null;
  /** The webhook is that of a group robot, whose format the message gets; `secret` is then empty or the robot's. */
  readonly robot?: Robot;
  /** A page of the console with details. */
  readonly link: string | null;
};
