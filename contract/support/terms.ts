/** Terms of customer service, without zod. */

/**
 * open      the visitor waits for an answer
 * waiting   answered; the visitor may reply
 * snoozed   out of the list until a time, or until the visitor writes
 * resolved  done; a message of the visitor reopens it
 * spam      stored, but nobody is notified; the visitor cannot tell
 */
export const conversationStates = ['open', 'waiting', 'snoozed', 'resolved', 'spam'] as const;
export type ConversationState = (typeof conversationStates)[number];
/** States of conversations that somebody works on. */
export const activeStates = ['open', 'waiting'] as const satisfies readonly ConversationState[];
export const isActive = (state: ConversationState): boolean => (activeStates as readonly ConversationState[]).includes(state);

/** `form`: left while nobody was available, to be answered by mail or phone. */
export const conversationKinds = ['chat', 'form'] as const;
export type ConversationKind = (typeof conversationKinds)[number];
export const conversationPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type ConversationPriority = (typeof conversationPriorities)[number];

/** Lists of conversations; `mine`, `unassigned`, `all` and `forms` contain active ones. */
export const conversationLists = ['mine', 'unassigned', 'all', 'forms', 'snoozed', 'resolved', 'spam'] as const;
export type ConversationList = (typeof conversationLists)[number];

export const messageAuthors = ['visitor', 'agent', 'system'] as const;
export type MessageAuthor = (typeof messageAuthors)[number];
/** `note`: among agents; visitors never get notes. `event`: something that happened to the conversation. */
export const messageKinds = ['text', 'file', 'note', 'event'] as const;
export type MessageKind = (typeof messageKinds)[number];
export const conversationEvents = [
  'assigned',
  'unassigned',
  'transferred',
  'resolved',
  'reopened',
  'snoozed',
  'awoken',
  'spam',
  'not_spam',
  'merged',
  'rated',
] as const;
export type ConversationEvent = (typeof conversationEvents)[number];
/** Events that visitors see too. */
export const visitorEvents = ['resolved', 'reopened', 'rated'] as const satisfies readonly ConversationEvent[];

export const bulkActions = ['resolve', 'reopen', 'spam', 'not_spam', 'assign', 'remove', 'restore'] as const;
export type BulkAction = (typeof bulkActions)[number];

export const supportModes = ['off', 'builtin', 'external'] as const;
/** What visitors get while nobody is available: the form, nothing, or the conversation with a notice. */
export const awayPolicies = ['form', 'hide', 'notice'] as const;
export type AwayPolicy = (typeof awayPolicies)[number];
export const launcherSides = ['left', 'right'] as const;
/** When visitors are asked for details before a conversation. The form always asks. */
export const prechatTimes = ['never', 'away', 'always'] as const;
export const prechatFields = ['name', 'email', 'phone', 'wechat', 'company', 'topic', 'custom1', 'custom2', 'custom3'] as const;
export type PrechatField = (typeof prechatFields)[number];
export const supportFileKinds = ['image', 'pdf', 'text'] as const;
export type SupportFileKind = (typeof supportFileKinds)[number];
/** Formats of webhook messages: WeCom, Feishu, DingTalk, and the signed JSON of all webhooks here. */
export const supportWebhookKinds = ['wecom', 'feishu', 'dingtalk', 'json'] as const;
export type SupportWebhookKind = (typeof supportWebhookKinds)[number];
export const blockKinds = ['network', 'visitor', 'email'] as const;
export type BlockKind = (typeof blockKinds)[number];
/** Why visitors are not answered at once. `agents`: nobody is online. */
export const awayReasons = ['paused', 'hours', 'holiday', 'agents'] as const;
export type AwayReason = (typeof awayReasons)[number];
export const agentStatuses = ['available', 'away'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

export const supportLimits = {
  /** Characters of a message. */
  message: 4000,
  /** Messages of one conversation; of spam too, so that nobody can tell. */
  messages: 5000,
  /** Bytes of the code of an external service. */
  externalCode: 10_240,
  /** Bytes of all texts in one language, and of the settings as a whole. */
  texts: 8192,
  settings: 131_072,
  name: 80,
  company: 100,
  phone: 40,
  wechat: 60,
  topic: 100,
  topics: 20,
  topicName: 60,
  custom: 500,
  note: 2000,
  /** A search for single letters, which nearly every text has, is limited to so many conversations, those that began last. */
  searched: 2000,
  tags: 20,
  tag: 40,
  cannedReplies: 500,
  cannedBody: 4000,
  blocks: 2000,
  /** Conversations of one bulk action. */
  bulk: 200,
  fileMegabytes: { least: 1, most: 10 },
  filePixels: 40_000_000,
  fileName: 120,
  retentionDays: { least: 30, most: 1825, usual: 365 },
  /** IP addresses of visitors are truncated after this time. */
  addressDays: 30,
  /** Seconds without a heartbeat after which an agent counts as gone, and seconds between two heartbeats of an agent's console. */
  presence: { gone: 75, heartbeat: 25 },
  /** Seconds for which a sign of typing is shown. */
  typing: 6,
  /** Seconds for which own messages can be edited and deleted. */
  editFor: 900,
  replyMinutes: { least: 1, most: 1440, usual: 30 },
  notifyDelay: { most: 3600, usual: 60 },
  /** Contrast of the brand color with white or black text (WCAG 2.2, 1.4.3). */
  contrast: 4.5,
  origins: 20,
  holidays: 60,
  pagePatterns: 50,
} as const;

/** Shortcut of a canned reply: typed after `/`. */
export const shortcutPattern = /^[\w\u4e00-\u9fa5-]{1,20}$/;
/** Values that canned replies may contain, as `{{visitor.name}}`. */
export const cannedValues = ['visitor.name', 'visitor.email', 'agent.name', 'site.name', 'conversation.number'] as const;
export type CannedValue = (typeof cannedValues)[number];

/** Fills in the values of a canned reply; unknown ones stay as they are written. */
export const fillCanned = (body: string, values: Readonly<Partial<Record<CannedValue, string>>>): string =>
  body.replace(/\{\{\s*([a-z.]{1,40})\s*\}\}/g, (written, name: string) => values[name as CannedValue] ?? written);

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
/** Contrast of two colors `#rrggbb` (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
/** White or black, whichever is easier to read on a color. */
export const textColorOn = (color: string): '#ffffff' | '#000000' => (contrastOf(color, '#ffffff') >= supportLimits.contrast ? '#ffffff' : '#000000');
