import type { z } from 'zod';
import { SettingsPart } from '@contract/publishing/parts';

/** The settings of a site without those of its theme, which the theme's own form edits. */
export const GeneralSettings = SettingsPart.omit({ theme: true }).required();
export type GeneralInput = z.input<typeof GeneralSettings>;
export type GeneralValues = z.output<typeof GeneralSettings>;

export const textFields = ['title', 'tagline', 'description'] as const;

/** Each language has a value, or the form could not be compared with the stored texts. */
const inEach = (languages: readonly string[], texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries([...new Set([...languages, ...Object.keys(texts)])].map((language) => [language, texts[language] ?? '']));
const withoutEmpty = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** What the form shows of stored settings, in the languages of the site. */
export function inputOf({ theme: _theme, ...settings }: SettingsPart, languages: readonly string[]): GeneralInput {
  const { title, tagline, description } = settings;
  return { ...settings, title: inEach(languages, title), tagline: inEach(languages, tagline), description: inEach(languages, description) };
}

/** What is stored of a form, with the current settings of the theme. */
export const settingsOf = (values: GeneralValues, { theme }: SettingsPart): SettingsPart => ({
  ...values,
  title: withoutEmpty(values.title),
  tagline: withoutEmpty(values.tagline),
  description: withoutEmpty(values.description),
  theme,
});
