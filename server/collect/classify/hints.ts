/**
 * User-Agent Client Hints: Chromium has frozen the user agent, so the versions of Windows 11 and macOS and the model of an Android device are only available
 * here. Every field may be ''.
 */
export type Hints = {
  /** Windows, macOS, Android, Linux, Chrome OS … */
  readonly platform: string;
  readonly platformVersion: string;
  readonly model: string;
  readonly mobile: boolean;
  /** The list of names and versions as in `Sec-CH-UA`. */
  readonly brands: string;
};
export const noHints: Hints = { platform: '', platformVersion: '', model: '', mobile: false, brands: '' };

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A value without the quotes of a header string, on one line and of limited length. */
const plain = (value: unknown, most = 100): string =>
  typeof value === 'string'
    ? value
        .slice(0, most)
        .replace(/[^\x20-\x7e]/g, '')
        .trim()
        .replace(/^"|"$/g, '')
    : '';

/**
 * The hints of a request, completed by those that a script read (`[platformVersion, model]`): a browser sends these two to another host only if the page
 * permits it.
 */
export function hintsOf(headers: Headers, hinted: readonly [string, string] | null): Hints {
  const read = (name: string, most?: number): string => plain(headers[name], most);
  const brands = read('sec-ch-ua', 300);
  if (brands === '' && hinted === null) return noHints;
  return {
    platform: read('sec-ch-ua-platform'),
    platformVersion: read('sec-ch-ua-platform-version') || plain(hinted?.[0]),
    model: read('sec-ch-ua-model') || plain(hinted?.[1]),
    mobile: read('sec-ch-ua-mobile') === '?1',
    brands,
  };
}

/** Browsers that use Chrome's agent and name themselves among the brands. */
const brandNames: Readonly<Record<string, string>> = {
  Brave: 'Brave',
  DuckDuckGo: 'DuckDuckGo',
  'Avast Secure Browser': 'Avast Secure Browser',
  'AVG Secure Browser': 'AVG Secure Browser',
  'Norton Private Browser': 'Norton Private Browser',
  'CCleaner Browser': 'CCleaner Browser',
  'Opera GX': 'Opera GX',
  Opera: 'Opera',
  'Microsoft Edge': 'Edge',
  YaBrowser: 'Yandex',
  Yandex: 'Yandex',
  'Samsung Internet': 'Samsung Internet',
  HuaweiBrowser: 'Huawei Browser',
  Vivaldi: 'Vivaldi',
};

/** The browser named in the list of brands; null if it is Chrome or unknown. */
export function brandIn(brands: string): { readonly name: string; readonly version: string } | null {
  for (const [, brand = '', version = ''] of brands.matchAll(/"?([^",;]+)"?\s*;\s*v="([\d.]*)/g)) {
    const name = brandNames[brand.trim()];
    if (name !== undefined) return { name, version };
  }
  return null;
}
