/** Translations of a site's texts. Terms without zod. */

/** States of a translation, the most urgent first. Only `machine`, `draft` and `reviewed` are stored. */
export const translationStates = ['missing', 'outdated', 'machine', 'draft', 'reviewed'] as const;
export type TranslationState = (typeof translationStates)[number];
export const markedStates = ['machine', 'draft', 'reviewed'] as const satisfies readonly TranslationState[];
export type MarkedState = (typeof markedStates)[number];

/** What can be translated: records of content tables, menus, titles of the site and of single pages, settings and texts of the theme. */
export const translatedEntities = ['record', 'menu', 'settings', 'routes', 'theme_settings', 'theme'] as const;
export type TranslatedEntity = (typeof translatedEntities)[number];

/** `opencc` converts between simplified and traditional Chinese within the program; the others are services with a key. */
export const engineKinds = ['opencc', 'deepl', 'google', 'libre', 'aliyun', 'tencent'] as const;
export type EngineKind = (typeof engineKinds)[number];
export const serviceKinds = ['deepl', 'google', 'libre', 'aliyun', 'tencent'] as const satisfies readonly EngineKind[];
export type ServiceKind = (typeof serviceKinds)[number];
/** Their key is an id and a secret, written `id:secret`, with which requests are signed. */
export const signedKinds = ['aliyun', 'tencent'] as const satisfies readonly ServiceKind[];
export type SignedKind = (typeof signedKinds)[number];
export const isSigned = (kind: EngineKind): kind is SignedKind => (signedKinds as readonly EngineKind[]).includes(kind);
export const textFormats = ['text', 'html'] as const;
export type TextFormat = (typeof textFormats)[number];

export const exchangeFormats = ['json', 'csv', 'xliff', 'po'] as const;
export type ExchangeFormat = (typeof exchangeFormats)[number];

/** What happened to a row of an imported file. `outdated`: the file translates another source text. `refused`: placeholders or tags differ, or it may not be changed. */
export const importResults = ['changed', 'unchanged', 'unknown', 'outdated', 'refused'] as const;
export type ImportResult = (typeof importResults)[number];
/**
 * Why a row is `unknown` or `refused`. `no_text`: the site has no such text in this language, or the reader may not see it. `no_attribute`: the source has no such attribute.
 * `no_translation`: only attributes of a text without a translation. `table_language`: its table lacks the language. `rights`: the person may not change it.
 */
export const importReasons = ['no_text', 'no_attribute', 'no_translation', 'placeholders', 'tags', 'table_language', 'rights'] as const;
export type ImportReason = (typeof importReasons)[number];

export const runKinds = ['import', 'machine'] as const;
export type RunKind = (typeof runKinds)[number];

export const translationLimits = {
  /** Characters of one text. */
  text: 100_000,
  /** Bytes of an imported file. */
  importBytes: 20 * 1024 ** 2,
  /** Texts of an imported file. */
  importTexts: 50_000,
  /** Characters that one job translates. */
  characters: 1_000_000,
  glossary: 2000,
  /** Records of each table whose states are computed, the latest first. */
  records: 20_000,
} as const;
