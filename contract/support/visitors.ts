import { z } from 'zod';
import { safeText } from '../text';
import { supportLimits } from './terms';
import type { AwayPolicy } from './terms';

/**
 * What the widget and the visitors' API (`/_cs/…`) exchange. The calls are not endpoints of the contract: they are answered on delivered sites and, for sites
 * elsewhere, on the origin of the collector, without sessions. `X-Visitor` carries the token of the visitor. A repeated call with the same client id changes nothing.
 */

/** Limits of one visitor; an address has `addressFactor` times as much, and must then solve a challenge. `seconds`: the window. */
export const visitorLimits = {
  /** All calls of known visitors, by address alone: what reading the visitor costs. */
  calls: { points: 300, seconds: 60 },
  hello: { points: 30, seconds: 60 },
  conversations: { points: 3, seconds: 3600 },
  messages: { points: 20, seconds: 60 },
  files: { points: 5, seconds: 3600 },
  typing: { points: 1, seconds: 3 },
  reads: { points: 120, seconds: 60 },
  streams: { points: 30, seconds: 60 },
  transcripts: { points: 5, seconds: 60 },
} as const;
export type LimitedCall = keyof typeof visitorLimits;
export const addressFactor = 20;

export const visitorSizes = {
  /** Bytes of a JSON body. */
  body: 32 * 1024,
  field: 500,
  comment: 1000,
  url: 2000,
  /** Messages of one response. */
  page: 200,
} as const;

/**
 * Limits of streams. `event`: the most messages of one event, and the characters after which it gets no further message. `bytes`: how much may be queued for a slow
 * reader before its stream is closed. `perAddress`: enough for a large office in which everybody has the chat open, and a twentieth of `inTotal`, the limit of a
 * process. A visitor who gets no stream polls, and tries again after `retryAfter` seconds.
 */
export const streamLimits = {
  event: { messages: 20, characters: 8000 },
  bytes: 64 * 1024,
  perVisitor: 6,
  perAddress: 500,
  inTotal: 10_000,
  retryAfter: 60,
} as const;

/** Seconds in which nobody fills in a form. */
export const leastFillSeconds = 2;

const ClientId = z.string().regex(/^[\w-]{8,64}$/);
const fieldText = safeText(visitorSizes.field);

/** Where the visitor is: sent with what begins a conversation, and when the page changes during one. */
export const VisitedPage = z.object({
  url: z.string().max(visitorSizes.url),
  title: safeText(300),
  referrer: z.string().max(visitorSizes.url).default(''),
});
export type VisitedPage = z.infer<typeof VisitedPage>;

/** Values of the form before a conversation, by the key of the field. */
const VisitorFields = z.record(z.string().max(40), fieldText).refine((fields) => Object.keys(fields).length <= 12);

export const HelloBody = z.object({ language: z.string().max(35), url: z.string().max(visitorSizes.url) });

export const NewMessage = z.object({ clientId: ClientId, text: safeText(supportLimits.message).pipe(z.string().min(1)) });
export type NewMessage = z.infer<typeof NewMessage>;

export const NewConversation = z.object({
  clientId: ClientId,
  message: NewMessage,
  fields: VisitorFields.default({}),
  page: VisitedPage,
  language: z.string().max(35),
  /** Id that the tracker stores, where the visitor allowed it to. */
  analyticsId: z.string().max(64).optional(),
});
export type NewConversation = z.infer<typeof NewConversation>;

/** The form that visitors get instead of a conversation while no agent is available. `website` is a honeypot: the field is hidden, so only programs fill it in. */
export const OfflineForm = NewConversation.extend({ stamp: z.string().max(200), website: z.string().max(500).default('') });
export type OfflineForm = z.infer<typeof OfflineForm>;

export const ReadBody = z.object({ seq: z.int().min(0) });
export const RatingBody = z.object({ rating: z.int().min(1).max(5), comment: safeText(visitorSizes.comment).default('') });
export const FileQuery = z.object({ clientId: ClientId, name: safeText(supportLimits.fileName) });

export type Availability = 'open' | 'away' | 'paused';
/** Names of the texts of the widget; the server sends them in the language of the page. */
type WidgetTextName =
  | 'attach'
  | 'away'
  | 'awayNotice'
  | 'badEmail'
  | 'close'
  | 'comment'
  | 'company'
  | 'deleted'
  | 'discard'
  | 'dismiss'
  | 'earlier'
  | 'email'
  | 'failed'
  | 'greeting'
  | 'launcher'
  | 'message'
  | 'name'
  | 'newMessages'
  | 'notSent'
  | 'offlineHelp'
  | 'offlineTitle'
  | 'open'
  | 'opensAt'
  | 'optional'
  | 'phone'
  | 'privacy'
  | 'rate'
  | 'rated'
  | 'read'
  | 'reconnecting'
  | 'required'
  | 'resolved'
  | 'retry'
  | 'send'
  | 'sendForm'
  | 'sendRating'
  | 'sending'
  | 'sent'
  | 'star'
  | 'startChat'
  | 'title'
  | 'today'
  | 'tooLarge'
  | 'tooLong'
  | 'tooMany'
  | 'topic'
  | 'transcript'
  | 'typing'
  | 'unread'
  | 'waiting'
  | 'wechat'
  | 'wrongType'
  | 'you';
export type WidgetTexts = Readonly<Record<WidgetTextName, string>>;

export type FormField = {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel';
  readonly required: boolean;
  readonly options: readonly string[];
};

/** What the widget needs to draw itself. */
export type WidgetConfig = {
  readonly name: string;
  /** Of the page. */
  readonly language: string;
  /** Of the texts, which is another one where there are none in the language of the page. */
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  readonly texts: WidgetTexts;
  readonly color: string;
  /** White or black, whichever is readable on it. */
  readonly textColor: string;
  readonly side: 'left' | 'right';
  readonly offset: number;
  readonly zIndex: number;
  readonly availability: Availability;
  /** What happens while nobody is there. */
  readonly awayPolicy: AwayPolicy;
  /** When the hours begin again, ISO 8601. */
  readonly opensAt: string | null;
  /** Fields before a conversation; empty: none. */
  readonly prechat: readonly FormField[];
  readonly formFields: readonly FormField[];
  readonly files: { readonly maxBytes: number; readonly accept: readonly string[] } | null;
  readonly rating: boolean;
  readonly consent: { readonly text: string; readonly url: string | null } | null;
  readonly invite: { readonly afterSeconds: number; readonly text: string } | null;
};

export type VisitorConversation = {
  readonly id: string;
  readonly kind: 'chat' | 'form';
  readonly isResolved: boolean;
  /** Counter of the conversation: messages that changed after it are those that a reader lacks. */
  readonly version: number;
  /** Places up to which the agents and the visitor have read. */
  readonly agentReadSeq: number;
  readonly visitorReadSeq: number;
  /** Messages that the visitor has not read, where they were counted. */
  readonly unread: number;
  readonly rating: number | null;
};

export type VisitorFile = {
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  /** Of images. */
  readonly width: number | null;
  readonly height: number | null;
  /** Signed, valid for some hours, relative to the base of the API. */
  readonly path: string;
};
export type VisitorMessage = {
  /** Place in the conversation. */
  readonly seq: number;
  readonly clientId: string | null;
  readonly from: 'visitor' | 'agent' | 'system';
  readonly text: string;
  readonly file: VisitorFile | null;
  readonly event: 'resolved' | 'reopened' | 'rated' | null;
  /** ISO 8601. */
  readonly at: string;
  readonly isEdited: boolean;
  /** What it said is gone. */
  readonly isDeleted: boolean;
};

export type HelloResponse = {
  readonly config: WidgetConfig;
  /** For a visitor without one. */
  readonly token: string;
  /** Proves when the form was opened. */
  readonly stamp: string;
  /** The visitor's latest conversation; null if there is none. */
  readonly conversation: VisitorConversation | null;
};
export type ConversationResponse = {
  readonly conversation: VisitorConversation;
  readonly messages: readonly VisitorMessage[];
  /** The version that the messages reach up to. */
  readonly version: number;
  /** Whether there are more: later ones behind `after`, earlier ones otherwise. */
  readonly more: boolean;
};
/** `code` is one of the error codes; `challenge` comes with a task (see `server/kit/challenge.ts`). */
export type VisitorFailure = { readonly code: string; readonly fields?: Readonly<Record<string, unknown>>; readonly task?: string; readonly bits?: number };

/** An event of the stream. Messages carry the version of the conversation as the id of the event, so that a stream resumes behind it. */
export type VisitorEvent =
  | ({ readonly type: 'messages' } & Omit<ConversationResponse, 'more'>)
  | { readonly type: 'conversation'; readonly conversation: VisitorConversation }
  | { readonly type: 'typing' };
