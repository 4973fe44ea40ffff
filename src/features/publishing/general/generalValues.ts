import type { z } from 'zod';
import { SettingsPart } from '@contract/publishing/parts';
import { textsFor, withoutEmpty } from '@/lib/languageTexts';

/** The settings of a site without those of its theme, which the theme's own form edits. */
export const GeneralSettings = SettingsPart.omit({ theme: true }).required();
export type GeneralInput = z.input<typeof GeneralSettings>;
export type GeneralValues = z.output<typeof GeneralSettings>;

export const textFields = ['title', 'tagline', 'description'] as const;

/** What the form shows of stored settings, in the languages of the site. */
export function inputOf({ theme: _theme, ...settings }: SettingsPart, languages: readonly string[]): GeneralInput {
  const { title, tagline, description } = settings;
  return { ...settings, title: textsFor(languages, title), tagline: textsFor(languages, tagline), description: textsFor(languages, description) };
}

/** What is stored of a form, with the current settings of the theme. */
export const settingsOf = (values: GeneralValues, { theme }: SettingsPart): SettingsPart => ({
  ...values,
  title: withoutEmpty(values.title),
  tagline: withoutEmpty(values.tagline),
  description: withoutEmpty(values.description),
  theme,
});
