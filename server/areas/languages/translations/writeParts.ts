import { createHash } from 'node:crypto';
import { tagsOf } from '../../../../contract/languages/tags';
import type { MenuItem } from '../../../../contract/publishing/parts';
import type { SiteParts } from '../../../../contract/publishing/schemas';
import { hasLanguages, textsOfSetting, withSettingText } from '../../../../contract/publishing/themeTexts';
import type { TranslatedEntity } from '../../../../contract/languages/translationTerms';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { changeTheme, checkSettingValues, currentManifest, ensureTheme, putPart, readThemeFile, workingParts } from '../../publishing';
import type { PartAuthor } from '../../publishing';
import { settingTexts } from './places';
import type { Translator } from './translator';

/** A text of a menu, the settings, the titles or the theme: its field, and what it replaces. An empty text removes the translation. */
export type PartText = { readonly field: string; readonly before: string | null; readonly text: string };
type Texts = Readonly<Record<string, string>>;
/** Fields that others have changed since. */
type Stale = Set<string>;

/** How often a part is read again after somebody else has changed it at the same moment. */
const tries = 5;

const authorOf = ({ site, userId, actor }: Translator): PartAuthor => ({ site, userId, actor });

function replaced(texts: Texts, tag: string, { field, before, text }: PartText, stale: Stale): Texts {
  if ((texts[tag] ?? '') !== (before ?? '')) {
    stale.add(field);
    return texts;
  }
  const { [tag]: _old, ...others } = texts;
  return text === '' ? others : { ...texts, [tag]: text };
}

const inItems = (items: readonly MenuItem[], tag: string, texts: ReadonlyMap<string, PartText>, stale: Stale): MenuItem[] =>
  items.map((item) => {
    const text = texts.get(item.id);
    return { ...item, ...(text ? { label: replaced(item.label, tag, text, stale) } : {}), items: inItems(item.items, tag, texts, stale) };
  });

type PartEntity = Exclude<TranslatedEntity, 'record' | 'theme'>;
const partOf = { menu: 'menus', settings: 'settings', routes: 'routes', theme_settings: 'settings' } as const satisfies Readonly<
  Record<PartEntity, keyof SiteParts>
>;

type Replacing = { readonly tag: string; readonly texts: ReadonlyMap<string, PartText>; readonly stale: Stale };

/** The settings with texts of the theme's settings replaced. Throws `invalid_fields` for texts that are too long. */
async function changedThemeSettings(ctx: Context, who: Translator, parts: SiteParts, { tag, texts, stale }: Replacing): Promise<unknown> {
  const { content } = parts.settings;
  const main = who.languages[0] ?? who.site.defaultLang;
  const manifest = await currentManifest(ctx, who.site.id);
  const theme = { ...content.theme };
  for (const setting of manifest?.settings.filter(hasLanguages) ?? []) {
    const text = texts.get(setting.key);
    if (!text) continue;
    const stored = theme[setting.key];
    const { [tag]: next } = replaced(textsOfSetting(setting, stored, main), tag, text, stale);
    if (stale.has(text.field)) continue;
    const value = withSettingText(setting, stored, { tag, main, several: true }, next);
    if (value === undefined) delete theme[setting.key];
    else theme[setting.key] = value;
  }
  const after = { ...content, theme };
  checkSettingValues(manifest, content, after, tagsOf(parts.languages.content));
  return after;
}

/** The part with the texts replaced. */
function changed(parts: SiteParts, entity: Exclude<PartEntity, 'theme_settings'>, group: string, { tag, texts, stale }: Replacing): unknown {
  switch (entity) {
    case 'menu': {
      const menus = parts.menus.content;
      return { ...menus, [group]: inItems(menus[group] ?? [], tag, texts, stale) };
    }
    case 'settings': {
      const settings = parts.settings.content;
      const replacing = settingTexts.flatMap((field) => {
        const text = texts.get(field);
        return text ? [[field, replaced(settings[field], tag, text, stale)] as const] : [];
      });
      return { ...settings, ...Object.fromEntries(replacing) };
    }
    case 'routes':
      return parts.routes.content.map((route) => {
        const text = route.kind === 'template' ? texts.get(route.path) : undefined;
        return route.kind === 'template' && text ? { ...route, title: replaced(route.title, tag, text, stale) } : route;
      });
  }
}

async function writePart(ctx: Context, who: Translator, entity: PartEntity, group: string, tag: string, texts: ReadonlyMap<string, PartText>): Promise<Stale> {
  const name = partOf[entity];
  for (let attempt = 0; attempt < tries; attempt++) {
    const parts = await workingParts(ctx.postgres.db, who.site);
    const stale: Stale = new Set();
    const replacing = { tag, texts, stale };
    const content = entity === 'theme_settings' ? await changedThemeSettings(ctx, who, parts, replacing) : changed(parts, entity, group, replacing);
    if (stale.size === texts.size || (await putPart(ctx, authorOf(who), name, content, parts[name].revision))) return stale;
  }
  return fail('conflict');
}

/** Writes `texts/<language>.json` of the theme, in its own order, with new keys at the end. */
async function writeThemeTexts(ctx: Context, who: Translator, tag: string, texts: ReadonlyMap<string, PartText>): Promise<Stale> {
  const stale: Stale = new Set();
  await ensureTheme(ctx, authorOf(who));
  await changeTheme(ctx, authorOf(who), async (current) => {
    stale.clear();
    const path = `texts/${tag}.json`;
    const file = current.files.get(path);
    const before = file ? (JSON.parse((await readThemeFile(ctx, who.site.id, file.sha256)).toString('utf8')) as Texts) : {};
    const after = new Map(Object.entries(before));
    for (const text of texts.values()) {
      const value = replaced(after.has(text.field) ? { [tag]: after.get(text.field) ?? '' } : {}, tag, text, stale)[tag];
      if (value === undefined) after.delete(text.field);
      else after.set(text.field, value);
    }
    const content = Buffer.from(`${JSON.stringify(Object.fromEntries(after), null, 2)}\n`);
    const written = { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length, content };
    return { kind: 'edit', base: current.last?.base ?? null, files: stale.size === texts.size ? new Map() : new Map([[path, written]]) };
  });
  return stale;
}

/** Writes texts of one place that is no record, in the working copy. Returns the fields that others have changed since; null: it refused the texts. */
export async function writePartTexts(
  ctx: Context,
  who: Translator,
  { entity, group, tag }: { readonly entity: Exclude<TranslatedEntity, 'record'>; readonly group: string; readonly tag: string },
  texts: readonly PartText[],
): Promise<ReadonlySet<string> | null> {
  const byField = new Map(texts.map((text) => [text.field, text]));
  try {
    return entity === 'theme' ? await writeThemeTexts(ctx, who, tag, byField) : await writePart(ctx, who, entity, group, tag, byField);
  } catch (error) {
    if (error instanceof Failure && (error.code === 'invalid_fields' || error.code === 'too_large')) return null;
    throw error;
  }
}
