import { createHash } from 'node:crypto';
import { chainOf } from '../../contract/languages/fallback';
import type { LanguagesPart } from '../../contract/languages/part';
import { tagsOf } from '../../contract/languages/tags';
import { parts as partSchemas } from '../../contract/publishing/parts';
import type { MenusPart, RoutesPart, SettingsPart } from '../../contract/publishing/parts';
import { createRedirects } from '../../contract/publishing/redirects';
import type { Redirects } from '../../contract/publishing/redirects';
import type { SeoPart } from '../../contract/seo/part';
import { compilePageRules } from '../../contract/seo/pageRules';
import type { PageRules } from '../../contract/seo/pageRules';
import { ThemeManifest } from '../../contract/publishing/theme';
import { withHome } from '../areas/seo';
import type { ThemeFiles } from '../kit/templates/renderPool';
import { themeTexts } from '../kit/templates/texts';
import { createRouter } from './router';
import type { Router } from './router';

/** A file of `assets` at `/_t/<hash>/<name>`. */
export type ThemeAsset = {
  readonly name: string;
  readonly path: string;
  /** Of the stored file. */
  readonly sha256: string;
  /** In its address: covers everything that its content depends on. */
  readonly hash: string;
  /** Rendered with the settings of the site. */
  readonly isTemplate: boolean;
};

export type CompiledTheme = {
  /** Identifies the files. */
  readonly name: string;
  readonly manifest: ThemeManifest;
  /** Texts of templates by path. */
  readonly files: ThemeFiles;
  readonly assets: ReadonlyMap<string, ThemeAsset>;
  /** Texts of `texts/<language>.json` for a language, with those it falls back to. */
  readonly texts: (language: string) => Readonly<Record<string, string>>;
};

/** Everything that a release contains, ready to answer requests. */
export type CompiledRelease = {
  readonly id: string;
  readonly siteId: string;
  readonly settings: SettingsPart;
  readonly menus: MenusPart;
  readonly routes: RoutesPart;
  readonly router: Router;
  readonly redirects: Redirects;
  readonly seo: SeoPart;
  readonly pageRules: PageRules;
  /** Tags of the languages that visitors get, the default one first. A preview has those that are hidden, too. */
  readonly languages: readonly string[];
  /** The same languages with their addresses and policies. */
  readonly languageRules: LanguagesPart;
  /** By language, in which languages something is looked for. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** Null if its `theme.json` cannot be read. */
  readonly theme: CompiledTheme | null;
  /** Approximate size in memory. */
  readonly bytes: number;
};

/** `working`: the working copy, for a preview. */
type ReleaseContents = {
  readonly id: string;
  readonly siteId: string;
  readonly working: boolean;
  readonly parts: Readonly<Record<keyof typeof partSchemas, unknown>>;
};

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** `name`: of the theme. A style sheet with values may also use other files of it. */
function assetsOf(name: string, files: Readonly<Record<string, string>>, settings: SettingsPart): Map<string, ThemeAsset> {
  const rendered = shortHash(name + JSON.stringify(settings));
  return new Map(
    Object.entries(files)
      .filter(([path]) => path.startsWith('assets/'))
      .map(([path, sha256]) => {
        const isTemplate = path.endsWith('.liquid');
        const asset = path.slice('assets/'.length).replace(/\.liquid$/, '');
        return [asset, { name: asset, path, sha256, isTemplate, hash: isTemplate ? rendered : sha256.slice(0, 16) }];
      }),
  );
}

function compileTheme(files: Readonly<Record<string, string>>, contents: ReadonlyMap<string, Buffer>, settings: SettingsPart): CompiledTheme | null {
  const texts = Object.fromEntries(
    Object.entries(files).flatMap(([path, sha256]) => (/\.(?:liquid|json)$/.test(path) ? [[path, contents.get(sha256)?.toString() ?? '']] : [])),
  );
  const manifest = ThemeManifest.safeParse(jsonOf(texts['theme.json'] ?? ''));
  if (!manifest.success) return null;
  const byLanguage = new Map<string, Readonly<Record<string, string>>>();
  const name = shortHash(JSON.stringify(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return {
    name,
    manifest: manifest.data,
    files: texts,
    assets: assetsOf(name, files, settings),
    texts(language) {
      const known = byLanguage.get(language) ?? textsOf(texts, language);
      byLanguage.set(language, known);
      return known;
    },
  };
}

/** A file of texts that is no JSON leaves the keys of the texts, not an error page. */
function textsOf(files: ThemeFiles, language: string): Readonly<Record<string, string>> {
  const readable = Object.fromEntries(Object.entries(files).filter(([path, text]) => path.startsWith('texts/') && jsonOf(text) !== undefined));
  return themeTexts(readable, language);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Paths of theme files that a compiled release has in memory; the others are read when they are requested. */
export const compiledFiles = (theme: unknown): string[] =>
  Object.entries(partSchemas.theme.parse(theme).files).flatMap(([path, sha256]) => (/\.(?:liquid|json)$/.test(path) ? [sha256] : []));

/** Languages of a release or of a preview, and their chains. A language that visitors do not get is in no chain. */
function compileLanguages(stored: unknown, working: boolean): Pick<CompiledRelease, 'languages' | 'languageRules' | 'chains'> {
  const all = partSchemas.languages.parse(stored);
  const languageRules = { ...all, languages: all.languages.filter(({ state }) => working || state === 'published') };
  const languages = tagsOf(languageRules);
  const fallbacks = Object.fromEntries(languageRules.languages.map(({ tag, fallback }) => [tag, fallback.filter((one) => languages.includes(one))]));
  return { languages, languageRules, chains: new Map(languages.map((tag) => [tag, chainOf(tag, fallbacks, languages[0] ?? tag)])) };
}

/** Parts of older versions get the defaults of values that did not exist then. `contents`: theme files by hash. */
export function compileRelease({ id, siteId, working, parts }: ReleaseContents, contents: ReadonlyMap<string, Buffer>): CompiledRelease {
  const settings = partSchemas.settings.parse(parts.settings);
  const theme = compileTheme(partSchemas.theme.parse(parts.theme).files, contents, settings);
  const seo = partSchemas.seo.parse(parts.seo);
  const routes = withHome(partSchemas.routes.parse(parts.routes), theme?.manifest ?? null);
  const size = (text: string): number => text.length * 2;
  const languages = compileLanguages(parts.languages, working);
  return {
    id,
    siteId,
    settings,
    routes,
    ...languages,
    menus: partSchemas.menus.parse(parts.menus),
    router: createRouter(routes),
    seo,
    pageRules: compilePageRules(seo, languages.languages),
    redirects: createRedirects(partSchemas.redirects.parse(parts.redirects)),
    theme,
    bytes: size(JSON.stringify(parts)) * 2 + Object.values(theme?.files ?? {}).reduce((sum, text) => sum + size(text), 0),
  };
}
