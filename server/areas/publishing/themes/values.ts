import { tagsOf } from '../../../../contract/languages/tags';
import type { SettingsPart } from '../../../../contract/publishing/parts';
import type { SiteParts } from '../../../../contract/publishing/schemas';
import type { ThemeManifest, ThemeSetting } from '../../../../contract/publishing/theme';
import { hasLanguages, isByLanguage, settingLength, settingLengths } from '../../../../contract/publishing/themeTexts';
import type { StoredSetting } from '../../../../contract/publishing/themeTexts';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { FieldError } from '../../../http/failure';
import { canonical } from '../../../kit/canonical';
import { currentManifest } from './view';

const typeOfValue = {
  text: 'string',
  long_text: 'string',
  color: 'string',
  choice: 'string',
  link: 'string',
  image: 'string',
  boolean: 'boolean',
  number: 'number',
} as const satisfies Record<ThemeSetting['type'], string>;

type Found = readonly (readonly [field: string, FieldError])[];

function problemsOf(setting: ThemeSetting | undefined, path: string, value: StoredSetting, known: ReadonlySet<string>): Found {
  const most = (setting && settingLength(setting)) ?? settingLengths.long_text;
  const tooLong = (field: string, text: string): Found => (text.length > most ? [[field, { code: 'too_long', max: most }]] : []);
  if (isByLanguage(value)) {
    if (setting !== undefined && !hasLanguages(setting)) return [[path, { code: 'wrong_type' }]];
    return Object.entries(value).flatMap(([tag, text]): Found => {
      const field = `${path}.${tag}`;
      return known.has(tag) ? tooLong(field, text) : [[field, { code: 'unknown' }]];
    });
  }
  if (typeof value === 'string' && (setting === undefined || typeOfValue[setting.type] === 'string')) return tooLong(path, value);
  const fits = setting === undefined || (value === null ? setting.type === 'image' : typeof value === typeOfValue[setting.type]);
  return fits ? [] : [[path, { code: 'wrong_type' }]];
}

/**
 * Throws `invalid_fields` for changed values of settings that are not what the theme declares, or that are in a language that the site does not have. Unchanged values are
 * not checked: the theme may have been changed since, and texts of a removed language remain until they are deleted.
 */
export function checkSettingValues(manifest: Pick<ThemeManifest, 'settings'> | null, before: SettingsPart, after: SettingsPart, tags: readonly string[]): void {
  const declared = new Map(manifest?.settings.map((setting) => [setting.key, setting]));
  const problems = Object.entries(after.theme).flatMap(([key, value]) => {
    const old = before.theme[key];
    if (canonical(old) === canonical(value)) return [];
    const known = new Set([...tags, ...(isByLanguage(old) ? Object.keys(old) : [])]);
    return problemsOf(declared.get(key), `theme.${key}`, value, known);
  });
  if (problems.length > 0) fail('invalid_fields', { fields: Object.fromEntries(problems) });
}

/** As `checkSettingValues`, with the present theme of the site. */
export async function refuseSettingValues(ctx: Context, siteId: string, { settings, languages }: SiteParts, after: SettingsPart): Promise<void> {
  if (canonical(settings.content.theme) === canonical(after.theme)) return;
  checkSettingValues(await currentManifest(ctx, siteId), settings.content, after, tagsOf(languages.content));
}
