type Texts = Readonly<Record<string, string>>;

/** A value for each language of a site, so that a form can be compared with what is stored; texts in other languages stay. */
export const textsFor = (languages: readonly string[], texts: Texts = {}): Record<string, string> => ({
  ...Object.fromEntries(languages.map((language) => [language, ''])),
  ...texts,
});

/** Texts as they are stored: without those that are empty. */
export const withoutEmpty = (texts: Texts): Record<string, string> => Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
