import { SupportSettingsInput } from '../../../contract/support/settings';
import { textsIn } from '../../areas/support';
import { widgetConfig } from './config';

/** What the widget says, by the language of a page and those that it falls back to. */

const settings = SupportSettingsInput.parse({
  mode: 'builtin',
  hours: { timeZone: 'UTC' },
  texts: { pt: { greeting: 'Olá' }, en: { greeting: 'Hello there', consent: 'We store what you write.' } },
  prechat: {
    fields: [
      { field: 'email', required: true, label: { pt: 'Correio' } },
      { field: 'custom1', label: { 'zh-Hans': '订单号', en: 'Order number' } },
      { field: 'topic' },
    ],
    topics: [
      { name: 'Wholesale', label: { pt: 'Atacado', ar: 'جملة' } },
      { name: 'Returns', label: { 'zh-Hans': '退货' } },
    ],
  },
});
const configOf = (chain: readonly [string, ...string[]]) => {
  const now = { settings, pausedUntil: null, open: true, reason: null, changesAt: null };
  return widgetConfig({ ...now, textsIn: (languages) => textsIn(settings, languages) }, { chain, title: 'Tea' }, 'https://tea.example/');
};
const configIn = (...chain: readonly [string, ...string[]]) => {
  const { language, locale, texts, consent, formFields } = configOf(chain) ?? {};
  return [language, locale, texts?.greeting, texts?.email, consent?.text, ...(formFields ?? []).slice(0, 2).map(({ label }) => label)];
};
const topicsIn = (...chain: readonly [string, ...string[]]) => configOf(chain)?.formFields.at(-1)?.options;

test.each([
  // Each text by itself: the greeting is that of the fallback, the rest that of the default language.
  [
    ['es-MX', 'es', 'pt', 'en'],
    ['es-MX', 'en', 'Olá', 'E-mail', 'We store what you write.', 'Correio', 'Order number'],
  ],
  [
    ['en-GB', 'en'],
    ['en-GB', 'en-GB', 'Hello there', 'E-mail', 'We store what you write.', 'E-mail', 'Order number'],
  ],
  [
    ['ar', 'zh-Hans'],
    ['ar', 'ar', 'مرحبًا، كيف يمكننا مساعدتك؟', 'البريد الإلكتروني', undefined, 'البريد الإلكتروني', '订单号'],
  ],
] as const)('texts and questions in %s are %s', ([page = '', ...fallbacks], expected) => {
  expect(configIn(page, ...fallbacks)).toEqual(expected);
});

test('each topic is in the first language of the chain that has it', () => {
  expect([topicsIn('pt-BR', 'pt', 'en'), topicsIn('ar', 'en'), topicsIn('zh-Hans', 'en'), topicsIn('en')]).toEqual([
    ['Atacado', 'Returns'],
    ['جملة', 'Returns'],
    ['Wholesale', '退货'],
    ['Wholesale', 'Returns'],
  ]);
});
