import type { Preferences } from './preferences';

/** Which language a page speaks that stands outside the console; each is named in itself. `label`: what the choice is called. */
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
