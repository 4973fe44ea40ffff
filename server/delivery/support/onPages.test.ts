import { policyOf } from '../head';
import { noFooter } from '../filingFooters';
import type { PageContext } from '../edition';
import { isIncluded } from './config';
import { widgetTexts } from './texts';
import { hasExternalSupport, noSupport, supportTag } from './onPages';
import type { SupportOnPages } from './onPages';

/** What customer service changes on delivered pages. */

const widget: SupportOnPages = { ...noSupport, mode: 'builtin', pages: { include: [], exclude: ['/legal/*'] }, version: 'a' };
const external: SupportOnPages = { ...widget, mode: 'external', externalCode: '<script src="https://chat.example/x.js"></script>' };
const languageRules = { strategy: 'single', languages: [], defaultLang: 'en' };

/** Enough of a page of a site in one language. */
const pageWith = (support: SupportOnPages, preview = false): PageContext =>
  ({
    site: { id: 'abcdefgh2345', hostnames: new Map() },
    origin: 'https://tea.example',
    root: '',
    preview,
    filings: noFooter,
    support,
    release: { settings: { headCode: '', bodyCode: '' }, languageRules },
  }) as unknown as PageContext;

test('only an external service relaxes the content security policy', () => {
  const policyAt = (support: SupportOnPages, path: string) => {
    const page = pageWith(support);
    return policyOf(page, { hasExternalCode: hasExternalSupport(page, { path, language: 'en' }) });
  };
  const without = policyAt(noSupport, '/');
  expect(without).not.toContain('unsafe-inline');
  expect(policyAt(external, '/')).toMatch(/script-src 'self' 'unsafe-inline' https:/);
  // Pages with the widget, and those on which the code of the service is not.
  expect([policyAt(widget, '/'), policyAt(external, '/legal/terms')]).toEqual([without, without]);
});

test('previews and sites without customer service have no tag', () => {
  expect(supportTag(pageWith(noSupport), { path: '/', language: 'en' })).toBe('');
  expect(supportTag(pageWith(external, true), { path: '/', language: 'en' })).toBe('');
});

test.each([
  ['/', 'en', true],
  ['/shop/tea', 'en-GB', true],
  ['/shop/tea', 'fr', false],
  ['/shopping', 'en', false],
  ['/shop/legal/a', 'en', false],
])('a page at %s in %s has the widget: %s', (path, language, expected) => {
  const pages = { include: ['/', '/shop/*'], exclude: ['*/legal/*'] };
  expect(isIncluded({ pages, languages: ['en', 'zh-Hans'] }, path, language)).toBe(expected);
});

test.each([
  ['zh-Hant-HK', 'zh-Hant', 'zh-Hant-HK'],
  ['zh-HK', 'zh-Hant', 'zh-HK'],
  ['zh', 'zh-Hans', 'zh'],
  ['ar-EG', 'ar', 'ar-EG'],
  ['fr', 'en', 'en'],
  ['fr,zh-Hans,en', 'zh-Hans', 'zh-Hans'],
])('texts for %s are those in %s', (chain, expected, locale) => {
  expect(widgetTexts(chain.split(','))).toEqual({ texts: widgetTexts([expected]).texts, locale });
});
