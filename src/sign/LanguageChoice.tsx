import type { Preferences } from './preferences';

/** Language switch of pages outside the console; each language is named in itself. `label`: the accessible name. */
export const LanguageChoice = ({
  locale,
  setLocale,
  label,
  className,
}: Pick<Preferences, 'locale' | 'setLocale'> & { readonly label: string; readonly className?: string }) => (
  <div {...(className === undefined ? {} : { className })} role="group" aria-label={label}>
    <button type="button" lang="zh-CN" aria-pressed={locale === 'zh-CN'} onClick={() => setLocale('zh-CN')}>
      中文
    </button>
    <button type="button" lang="en" aria-pressed={locale === 'en'} onClick={() => setLocale('en')}>
      English
    </button>
  </div>
);
