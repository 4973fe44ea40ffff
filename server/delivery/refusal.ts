import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { preferredLanguage } from '../../contract/languages/tags';
import { parseUrl } from '../../contract/parseUrl';
import { findTarget } from './content/target';
import type { Edition } from './edition';
import { policyOf } from './head';
import { originOf } from './origin';
import { languagePath } from './paths';
import type { CompiledRelease } from './release';
import { openPageContext, renderPage } from './render';
import type { DeliveryResponse } from './response';
import { decodedPath } from './router';
import { storedResponse } from './stored';
import type { Delivery } from './step';
import { host } from './steps/host';
import { state } from './steps/state';
import { themeFile } from './steps/themeFile';

/** A page of the site in the place of the program's own page for visitors whom a country rule refuses, and the files that it needs. */

const quiet = new WeakMap<CompiledRelease, CompiledRelease>();

/** A release without what runs beside its pages: refused visitors are neither measured nor offered other languages. */
function quietRelease(release: CompiledRelease): CompiledRelease {
  const known = quiet.get(release) ?? {
    ...release,
    settings: { ...release.settings, measuring: false },
    languageRules: { ...release.languageRules, suggestion: 'off' as const },
  };
  quiet.set(release, known);
  return known;
}

/** The live release, if the site is open to everybody under the requested address; null otherwise. */
async function openEdition(delivery: Delivery): Promise<Edition | null> {
  const { ctx, services, site, filings } = delivery;
  if (host(delivery) || (await state(delivery))) return null;
  const release = await services.releases.live(site.id);
  return release && { site, release: quietRelease(release), root: '', origin: originOf(ctx, site), preview: false, filings };
}

/** The page in one language; null: there is none, or its template fails. */
async function pageIn(delivery: Delivery, edition: Edition, path: string, language: string): Promise<DeliveryResponse | null> {
  const { services } = delivery;
  // Stored beside the page itself, under a language of its own: failures of the template are listed with the path.
  const response = await storedResponse(delivery, edition, { path, language: `refusal ${language}` }, async () => {
    if (!edition.release.theme) return null;
    const context = await openPageContext(services, edition, language);
    const target = await findTarget(services, context, edition.release.router(path));
    if (!target) return null;
    const rendered = await renderPage(services, context, target);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(context, rendered),
      'content-language': rendered.language,
    };
    return { status: 200, headers, text: rendered.html };
  });
  return response?.status === 200 ? response : null;
}

/** Languages in which a visitor may get the page, the best first: of the browser, of the requested address, of the site. */
function languagesFor(delivery: Delivery, edition: Edition): readonly string[] {
  const { languages } = edition.release;
  const preferred = preferredLanguage(delivery.request.headers['accept-language'] ?? '', languages);
  const { language } = languagePath(edition, delivery.host, decodedPath(delivery.path) ?? '/');
  return [...new Set([preferred ?? language, ...languages.slice(0, 1)])];
}

/** The page at a path (without its language) for a visitor; null: the site has no such page now, or does not show its pages to everybody. */
export async function refusalFromSite(delivery: Delivery, path: string): Promise<DeliveryResponse | null> {
  const edition = await openEdition(delivery);
  if (!edition) return null;
  for (const language of languagesFor(delivery, edition)) {
    const page = await pageIn(delivery, edition, path, language);
    if (page) return page;
  }
  return null;
}

const decoders = { br: promisify(brotliDecompress), gzip: promisify(gunzip) } as const;

async function textOf({ headers, body }: DeliveryResponse): Promise<string> {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return '';
  const decode = decoders[headers['content-encoding'] as keyof typeof decoders];
  return (decode ? await decode(body) : body).toString();
}

const filePath = /^\/_[rt]\//;
/** Files that a page or style sheet may need in all; a theme has fewer. */
const mostFiles = 500;

/** Paths of the files that a page names. */
export const namedIn = (html: string): string[] => Array.from(html.matchAll(/\/_[rt]\/[^\s"'<>(),;&?#]+/g), ([path]) => path);

/** Paths of the files that a style sheet or script names, with those relative to it. */
export const namedInFile = (text: string, from: string): string[] =>
  Array.from(text.matchAll(/url\(\s*["']?([^"')\s]+)|(?:@import|from|import)\s*(?:\(\s*)?["']([^"'\n]+)["']/g)).flatMap(([, address, imported]) => {
    const name = address ?? imported ?? '';
    const url = parseUrl(name, `https://site.invalid${from}`);
    return url === null ? [] : [url.pathname];
  });

/** `isComplete`: no file of the theme was left out because the program is busy. */
type Files = { readonly paths: ReadonlySet<string>; readonly isComplete: boolean };

async function readFiles(delivery: Delivery, edition: Edition, page: DeliveryResponse): Promise<Files> {
  const files = new Set(namedIn(await textOf(page)));
  let isComplete = true;
  // A set is read to its end while it grows.
  for (const path of files) {
    if (files.size > mostFiles || !/^\/_t\/.*\.(?:css|m?js)$/.test(path)) continue;
    const file = await themeFile({ ...delivery, path }, edition);
    if (file?.status === 503) isComplete = false;
    if (file?.status === 200) for (const named of namedInFile(await textOf(file), path)) if (filePath.test(named)) files.add(named);
  }
  return { paths: files, isComplete };
}

const filesOf = new WeakMap<DeliveryResponse, Promise<Files>>();

/** Paths of the files that a page needs, read once. Those that could not all be read are read again for the next request. */
async function neededBy(delivery: Delivery, edition: Edition, page: DeliveryResponse): Promise<ReadonlySet<string>> {
  const reading = filesOf.get(page) ?? readFiles(delivery, edition, page);
  filesOf.set(page, reading);
  let isComplete = false;
  try {
    const files = await reading;
    ({ isComplete } = files);
    return files.paths;
  } finally {
    if (!isComplete) filesOf.delete(page);
  }
}

/** Whether the page for refused visitors needs the requested file, so that it is delivered to them, too. */
export async function isNeededByRefusal(delivery: Delivery, path: string): Promise<boolean> {
  if (!filePath.test(delivery.path)) return false;
  const edition = await openEdition(delivery);
  if (!edition) return false;
  const isPreferred = preferredLanguage(delivery.request.headers['accept-language'] ?? '', edition.release.languages) !== null;
  // The address of a file has no language: without one of the browser, the page may have been in any.
  const languages = isPreferred ? languagesFor(delivery, edition) : edition.release.languages;
  for (const language of languages) {
    const page = await pageIn(delivery, edition, path, language);
    if (!page) continue;
    if ((await neededBy(delivery, edition, page)).has(delivery.path)) return true;
    if (isPreferred) return false;
  }
  return false;
}
