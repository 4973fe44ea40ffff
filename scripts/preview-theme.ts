import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { openRenderPool } from '../server/kit/templates/renderPool';
import type { RenderPool } from '../server/kit/templates/renderPool';
import { chromiumArgs, chromiumPath } from '../test/support/chromium';
import { building, landscape, logo, portrait, shapes } from '../test/themes/pictures';
import { amounts, contentLanguages, readTheme, renderPage, renderStyles, themeNames } from '../test/themes/renderTheme';
import type { Theme } from '../test/themes/renderTheme';

/**
 * Renders every template of the shipped themes with the content of test/themes into a folder, and takes pictures of them:
 * `npx tsx scripts/preview-theme.ts OUT [--themes blog,docs] [--templates home] [--langs en] [--widths 390] [--schemes dark] [--amounts sparse] [--no-pictures] [--serve]`.
 */
const [out = 'walk/themes', ...options] = process.argv.slice(2);
const listOf = <T extends string>(name: string, all: readonly T[]): readonly T[] => {
  const at = options.indexOf(`--${name}`);
  const chosen = at === -1 ? null : (options[at + 1]?.split(',') ?? []);
  return chosen === null ? all : all.filter((one) => chosen.includes(one));
};
const drawings: Readonly<Record<string, (seed: string) => string>> = {
  landscape: (seed) => landscape(Number(seed)),
  building: (seed) => building(Number(seed)),
  shapes: (seed) => shapes(Number(seed)),
  portrait: (seed) => portrait(Number(seed)),
  logo: (seed) => logo(seed, seed.length),
};

function write(path: string, content: string | Buffer): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Draws the picture of an address such as `/_r/landscape-3-960.webp`. */
async function picture(path: string): Promise<Buffer> {
  const [, kind = '', seed = '', width = ''] = /^\/_r\/(\w+)-(.+)-(\d+)\.webp$/.exec(path) ?? [];
  return sharp(Buffer.from(drawings[kind]?.(decodeURIComponent(seed)) ?? ''))
    .resize(Number(width))
    .webp({ quality: 82 })
    .toBuffer();
}

async function render(pool: RenderPool, theme: Theme): Promise<string[]> {
  const pages: string[] = [];
  for (const template of listOf('templates', Object.keys(theme.manifest.templates)))
    for (const language of listOf('langs', contentLanguages))
      for (const amount of listOf('amounts', amounts)) {
        const path = `${theme.name}/${template}.${language}.${amount}.html`;
        write(path, await renderPage(pool, theme, template, language, amount));
        pages.push(path);
      }
  for (const [path, text] of Object.entries(theme.files))
    if (path.startsWith('assets/') && !path.endsWith('.liquid')) write(`_t/${theme.name}/${path.slice('assets/'.length)}`, text);
  write(`_t/${theme.name}/settings.css`, await renderStyles(pool, theme));
  return pages;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  webp: 'image/webp',
};
/** The rules under which sites are delivered: nothing inline. */
const policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'";

async function serve(port: number): Promise<{ readonly url: string; readonly close: () => void }> {
  const drawn = new Map<string, Promise<Buffer>>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/_r/') && !drawn.has(pathname)) drawn.set(pathname, picture(pathname));
    (drawn.get(pathname) ?? readFile(join(out, decodeURIComponent(pathname)))).then(
      (content) =>
        response.writeHead(200, { 'content-type': types[pathname.split('.').at(-1) ?? ''] ?? 'text/plain', 'content-security-policy': policy }).end(content),
      () => response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end(),
    );
  });
  await new Promise<void>((resolved) => server.listen(port, '127.0.0.1', resolved));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close: () => server.close() };
}

async function photograph(browser: Browser, url: string, pages: readonly string[]): Promise<void> {
  for (const scheme of listOf('schemes', ['light', 'dark'] as const))
    for (const width of listOf('widths', ['1440', '390'])) {
      const context = await browser.newContext({
        viewport: { width: Number(width), height: width === '390' ? 844 : 900 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      page.on('console', (message) => console.error(page.url(), message.text()));
      for (const path of pages) {
        await page.goto(`${url}/${path}`, { waitUntil: 'networkidle' });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) console.error(path, width, `is ${String(overflow)} px wider than the window`);
        await page.evaluate(async () => {
          for (const image of document.images) image.loading = 'eager';
          await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
        });
        write(`pictures/${path.replace(/\.html$/, '').replace('/', '.')}.${width}.${scheme}.png`, await page.screenshot({ fullPage: true }));
      }
      await context.close();
    }
}

rmSync(resolve(out), { recursive: true, force: true });
const pool = openRenderPool();
const pages = (await Promise.all(listOf('themes', themeNames).map(async (name) => render(pool, await readTheme(name))))).flat();
await pool.close();
console.log(`${String(pages.length)} pages in ${resolve(out)}`);
if (options.includes('--serve')) console.log((await serve(8123)).url);
else if (!options.includes('--no-pictures')) {
  const server = await serve(0);
  const executablePath = chromiumPath();
  const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
  await photograph(browser, server.url, pages);
  await browser.close();
  server.close();
}
