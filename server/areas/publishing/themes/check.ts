import { z } from 'zod';
import type { ThemeProblem } from '../../../../contract/publishing/themeFiles';
import { ThemeManifest } from '../../../../contract/publishing/theme';
import { isThemeText } from '../../../../contract/publishing/themePaths';
import type { ThemeProblemCode } from '../../../../contract/publishing/terms';
import { fail } from '../../../http/failure';
import { RenderingBusy, TemplateError } from '../../../kit/templates/renderPool';
import type { RenderPool, TemplateFailure } from '../../../kit/templates/renderPool';
import { placeOf, positionOf, readJson } from './json';

/** Files of a theme by path. */
export type ThemeContents = ReadonlyMap<string, Buffer>;
type Checker = Pick<RenderPool, 'check'>;

/** Problems of one file that are listed. A position costs a pass over the file, and a list of thousands helps nobody. */
const mostProblems = 100;

const Texts = z.record(z.string(), z.string());
const whole = { line: null, column: null };
const problem = (path: string, code: ThemeProblemCode, detail = '', place: { readonly line: number | null; readonly column: number | null } = whole) => ({
  path,
  code,
  detail: detail.slice(0, 500),
  ...place,
});

/** The text of a file; null if it is not UTF-8 or has characters that no text file has. */
export function textOf(content: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return text.includes('\u0000') ? null : text;
  } catch {
    return null;
  }
}

const ofFailure = ({ reason, message, file, line, column }: TemplateFailure, path: string): ThemeProblem => ({
  path: file ?? path,
  code: reason === 'limit' ? 'limit' : 'syntax',
  detail: message,
  line,
  column,
});

async function checkTemplates(pool: Checker, texts: ReadonlyMap<string, string>): Promise<ThemeProblem[]> {
  const templates = [...texts].filter(([path]) => path.endsWith('.liquid'));
  const [first] = templates;
  if (!first) return [];
  try {
    const failures = await pool.check(Object.fromEntries(templates));
    return failures.map((failure) => ofFailure(failure, first[0]));
  } catch (error) {
    if (error instanceof TemplateError) return [ofFailure(error.failure, first[0])];
    if (error instanceof RenderingBusy) return fail('unavailable', { retryAfter: 5 });
    throw error;
  }
}

/** A JSON file against a schema: every issue where its value is. */
function checkJson(path: string, text: string, schema: z.ZodType, code: ThemeProblemCode): ThemeProblem[] {
  const read = readJson(text);
  if ('error' in read) return [problem(path, 'syntax', read.error, positionOf(text, read.at))];
  const { error } = schema.safeParse(read.value);
  return (error?.issues ?? []).slice(0, mostProblems).map((issue) => {
    const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const at = unknown === undefined ? issue.path : [...issue.path, unknown];
    return problem(path, code, `${at.map(String).join('.')}: ${issue.message}`, positionOf(text, placeOf(read.places, at)));
  });
}

/** What is wrong with one file, without the others. */
export async function checkFile(pool: Checker, path: string, content: Buffer): Promise<ThemeProblem[]> {
  if (!isThemeText(path)) return [];
  const text = textOf(content);
  if (text === null) return [problem(path, 'not_text')];
  if (path === 'theme.json') return checkJson(path, text, ThemeManifest, 'manifest');
  if (path.startsWith('texts/')) return checkJson(path, text, Texts, 'texts');
  return path.endsWith('.liquid') ? checkTemplates(pool, new Map([[path, text]])) : [];
}

/** `theme.json`; null if it is missing or invalid. */
export function manifestOf(content: Buffer | undefined): ThemeManifest | null {
  const read = readJson(content === undefined ? '' : (textOf(content) ?? ''));
  return 'error' in read ? null : (ThemeManifest.safeParse(read.value).data ?? null);
}

/** Collections that the lists and fields of a manifest name but that it does not define. */
function checkReferences(manifest: ThemeManifest, text: string): ThemeProblem[] {
  const read = readJson(text);
  if ('error' in read) return [];
  const references: { readonly name: string; readonly at: string[] }[] = [];
  for (const [key, template] of Object.entries(manifest.templates)) {
    if (template.for !== undefined) references.push({ name: template.for, at: ['templates', key, 'for'] });
    for (const [name, { collection }] of Object.entries(template.data))
      references.push({ name: collection, at: ['templates', key, 'data', name, 'collection'] });
  }
  for (const [key, { fields }] of Object.entries(manifest.collections))
    for (const [name, { of }] of Object.entries(fields)) if (of !== undefined) references.push({ name: of, at: ['collections', key, 'fields', name, 'of'] });
  return references
    .filter(({ name }) => !Object.hasOwn(manifest.collections, name))
    .slice(0, mostProblems)
    .map(({ name, at }) => problem('theme.json', 'unknown_collection', name, positionOf(text, placeOf(read.places, at))));
}

/** A template with its comments and raw texts as spaces, because what they contain names no files. In one pass, whatever the template looks like. */
function blanked(text: string): string {
  const parts: string[] = [];
  let open: { readonly name: string | undefined; readonly at: number } | null = null;
  let end = 0;
  for (const found of text.matchAll(/\{%-?\s*(end)?(comment|raw)\s*-?%\}/g)) {
    const [tag, closing, name] = found;
    if (!open && closing === undefined) open = { name, at: found.index };
    if (!open || closing === undefined || name !== open.name) continue;
    parts.push(text.slice(end, open.at), text.slice(open.at, found.index + tag.length).replaceAll(/[^\n]/g, ' '));
    end = found.index + tag.length;
    open = null;
  }
  return parts.join('') + text.slice(end);
}
const partial = /\{%-?\s*(?:layout|render|include)\s+(['"])([^'"]+)\1/g;
const asset = /\{\{-?\s*(['"])([^'"]+)\1\s*\|\s*asset_url/g;

/** Layouts, parts and assets that a template names but that the theme does not have. */
function checkNames(path: string, text: string, paths: ReadonlySet<string>): ThemeProblem[] {
  const source = blanked(text);
  const missing: { readonly at: number; readonly name: string }[] = [];
  const add = (at: number, ...candidates: string[]): void => {
    if (!candidates.some((one) => paths.has(one))) missing.push({ at, name: candidates[0] ?? '' });
  };
  for (const { index, 2: name = '' } of source.matchAll(partial)) add(index, name.endsWith('.liquid') ? name : `${name}.liquid`);
  for (const { index, 2: name = '' } of source.matchAll(asset)) add(index, `assets/${name}`, `assets/${name}.liquid`);
  return missing.slice(0, mostProblems).map(({ at, name }) => problem(path, 'missing_file', name, positionOf(text, at)));
}

/** Everything that is wrong with a theme, by file and line. */
export async function checkTheme(pool: Checker, contents: ThemeContents): Promise<ThemeProblem[]> {
  const texts = new Map<string, string>();
  const problems: ThemeProblem[] = [];
  for (const [path, content] of contents) {
    const text = isThemeText(path) ? textOf(content) : '';
    if (text === null) problems.push(problem(path, 'not_text'));
    else texts.set(path, text);
  }
  const paths = new Set(contents.keys());
  const manifestText = texts.get('theme.json');
  if (manifestText === undefined) problems.push(problem('theme.json', 'missing_file', 'theme.json'));
  else problems.push(...checkJson('theme.json', manifestText, ThemeManifest, 'manifest'));
  const manifest = manifestOf(contents.get('theme.json'));
  if (manifest && manifestText !== undefined) {
    problems.push(...checkReferences(manifest, manifestText));
    for (const name of Object.keys(manifest.templates))
      if (!paths.has(`templates/${name}.liquid`)) problems.push(problem('theme.json', 'missing_file', `templates/${name}.liquid`));
  }
  problems.push(...(await checkTemplates(pool, texts)));
  for (const [path, text] of texts) {
    if (path.endsWith('.liquid')) problems.push(...checkNames(path, text, paths));
    if (path.startsWith('texts/')) problems.push(...checkJson(path, text, Texts, 'texts'));
  }
  return problems.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)));
}
