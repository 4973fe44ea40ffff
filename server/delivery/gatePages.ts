import type { IndexedSite } from '../areas/sites';
import { escapeHtml } from '../kit/text/escapeHtml';
import type { FilingFooter } from './filingFooters';
import { documentOf, pagePolicy, speakerOf } from './pages';
import { pageResponse } from './response';
import type { DeliveryResponse } from './response';

/** Pages of sites that do not let a visitor in, in the language of the site. */

type Texts = {
  readonly password: string;
  readonly locked: string;
  readonly open: string;
  readonly wrong: string;
  readonly often: string;
  readonly private: string;
  readonly privateHelp: string;
  readonly maintenance: string;
  readonly maintenanceHelp: string;
  readonly suspended: string;
};
const texts = {
  'zh-Hans': {
    password: '密码',
    locked: '输入密码访问本站',
    open: '进入',
    wrong: '密码不正确。',
    often: '尝试次数过多，请稍后再试。',
    private: '本站仅限内部访问',
    privateHelp: '有权限的成员可以在控制台中打开本站。',
    maintenance: '网站维护中',
    maintenanceHelp: '我们很快回来，请稍后再访问。',
    suspended: '网站已停用',
  },
  'zh-Hant': {
    password: '密碼',
    locked: '輸入密碼以瀏覽本站',
    open: '進入',
    wrong: '密碼不正確。',
    often: '嘗試次數過多，請稍後再試。',
    private: '本站僅供內部瀏覽',
    privateHelp: '有權限的成員可以從主控台開啟本站。',
    maintenance: '網站維護中',
    maintenanceHelp: '我們很快回來，請稍後再訪。',
    suspended: '網站已停用',
  },
  en: {
    password: 'Password',
    locked: 'This site needs a password',
    open: 'Enter',
    wrong: 'The password is wrong.',
    often: 'Too many attempts. Try again later.',
    private: 'This site is private',
    privateHelp: 'People with access open it from the console.',
    maintenance: 'Under maintenance',
    maintenanceHelp: 'We will be back soon.',
    suspended: 'This site is suspended',
  },
  ja: {
    password: 'パスワード',
    locked: 'このサイトにはパスワードが必要です',
    open: '入る',
    wrong: 'パスワードが違います。',
    often: '試行回数が多すぎます。しばらくしてからお試しください。',
    private: 'このサイトは非公開です',
    privateHelp: '権限のあるメンバーは管理画面から開けます。',
    maintenance: 'メンテナンス中',
    maintenanceHelp: 'しばらくしてからもう一度お越しください。',
    suspended: 'このサイトは停止されています',
  },
  ko: {
    password: '비밀번호',
    locked: '비밀번호가 필요한 사이트입니다',
    open: '들어가기',
    wrong: '비밀번호가 올바르지 않습니다.',
    often: '시도 횟수가 너무 많습니다. 나중에 다시 시도하세요.',
    private: '비공개 사이트입니다',
    privateHelp: '권한이 있는 구성원은 관리 화면에서 열 수 있습니다.',
    maintenance: '점검 중입니다',
    maintenanceHelp: '잠시 후 다시 방문해 주세요.',
    suspended: '중지된 사이트입니다',
  },
  fr: {
    password: 'Mot de passe',
    locked: 'Ce site est protégé par un mot de passe',
    open: 'Entrer',
    wrong: 'Le mot de passe est incorrect.',
    often: 'Trop de tentatives. Réessayez plus tard.',
    private: 'Ce site est privé',
    privateHelp: 'Les personnes autorisées l’ouvrent depuis la console.',
    maintenance: 'Site en maintenance',
    maintenanceHelp: 'Nous serons bientôt de retour.',
    suspended: 'Ce site est suspendu',
  },
  de: {
    password: 'Passwort',
    locked: 'Diese Website ist durch ein Passwort geschützt',
    open: 'Öffnen',
    wrong: 'Das Passwort ist falsch.',
    often: 'Zu viele Versuche. Bitte später erneut versuchen.',
    private: 'Diese Website ist privat',
    privateHelp: 'Berechtigte öffnen sie über die Konsole.',
    maintenance: 'Wartungsarbeiten',
    maintenanceHelp: 'Wir sind bald wieder da.',
    suspended: 'Diese Website ist gesperrt',
  },
  es: {
    password: 'Contraseña',
    locked: 'Este sitio está protegido con contraseña',
    open: 'Entrar',
    wrong: 'La contraseña no es correcta.',
    often: 'Demasiados intentos. Inténtelo más tarde.',
    private: 'Este sitio es privado',
    privateHelp: 'Las personas con acceso lo abren desde la consola.',
    maintenance: 'En mantenimiento',
    maintenanceHelp: 'Volveremos pronto.',
    suspended: 'Este sitio está suspendido',
  },
} satisfies Record<string, Texts>;

const isWritten = (lang: string): lang is keyof typeof texts => Object.hasOwn(texts, lang);

/** The site and the numbers of filings that its pages show: a bureau looks at whatever answers. */
type Gate = { readonly site: Pick<IndexedSite, 'name' | 'defaultLang' | 'maintenance'>; readonly filings: FilingFooter };
type GateSite = Gate['site'];
const voiceOf = ({ defaultLang }: Pick<GateSite, 'defaultLang'>) => {
  const { lang, dir } = speakerOf(defaultLang);
  const say: Texts = texts[isWritten(lang) ? lang : 'en'];
  return { lang, dir, say };
};

/** Never stored, by browsers or proxies; retried later where `retryAfter`, in seconds, says so. */
function refusal(status: number, html: string, retryAfter?: number): DeliveryResponse {
  const response = pageResponse(status, html, 'no-store');
  return {
    ...response,
    headers: {
      ...response.headers,
      'content-security-policy': pagePolicy.replace("form-action 'none'", "form-action 'self'"),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  };
}

/** Asks for the password of a site. `back`: the path to which the visitor returns. */
export function passwordPage({ site, filings }: Gate, back: string, problem: 'wrong' | 'often' | null = null, retryAfter?: number): DeliveryResponse {
  const { lang, dir, say } = voiceOf(site);
  const html = documentOf({
    lang,
    dir,
    title: site.name,
    filings,
    body: `<h1>${escapeHtml(site.name)}</h1>
<p>${say.locked}</p>
<form method="post" action="/_site/password">
<input type="hidden" name="back" value="${escapeHtml(back)}">
<label>${say.password}<input type="password" name="password" required maxlength="200" autocomplete="current-password" autofocus${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}></label>
${problem ? `<p id="problem" role="alert">${say[problem]}</p>\n` : ''}<button type="submit">${say.open}</button>
</form>`,
  });
  return refusal(problem === 'often' ? 429 : 401, html, retryAfter);
}

/** For everybody without access to a private site: not even its name. */
export function privatePage({ site, filings }: Gate): DeliveryResponse {
  const { lang, dir, say } = voiceOf(site);
  return refusal(403, documentOf({ lang, dir, title: say.private, filings, body: `<h1>${say.private}</h1>\n<p>${say.privateHelp}</p>` }));
}

/** The message of the site's administrators, in the language of the site. */
export function maintenancePage({ site, filings }: Gate): DeliveryResponse {
  const { lang, dir, say } = voiceOf(site);
  const { message, retryAfter } = site.maintenance;
  const own = message[site.defaultLang] ?? Object.values(message).find((text) => text !== '');
  const paragraph = own ? `<p lang="${site.defaultLang}">${escapeHtml(own).replaceAll('\n', '<br>')}</p>` : `<p>${say.maintenanceHelp}</p>`;
  const title = `${say.maintenance} · ${site.name}`;
  return refusal(503, documentOf({ lang, dir, title, filings, body: `<h1>${say.maintenance}</h1>\n${paragraph}` }), retryAfter);
}

export function suspendedPage({ site, filings }: Gate): DeliveryResponse {
  const { lang, dir, say } = voiceOf(site);
  return refusal(451, documentOf({ lang, dir, title: say.suspended, filings, body: `<h1>${say.suspended}</h1>` }));
}
