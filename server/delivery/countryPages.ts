import type { FastifyRequest } from 'fastify';
import { challengeBits } from '../../contract/countryBlock/terms';
import type { CountryRule } from '../../contract/countryBlock/schemas';
import { preferredLanguage } from '../../contract/languages/tags';
import type { IndexedSite } from '../areas/sites';
import { directionOf } from '../areas/languages/list';
import type { FilingFooter } from './filingFooters';
import { escapeHtml } from '../kit/text/escapeHtml';
import { challengePath, challengeScriptPath } from './challenge';
import { documentOf, pagePolicy } from './pages';
import { pageResponse } from './response';
import type { DeliveryResponse } from './response';

/** Pages for visitors whom a country rule concerns, in their language. */

type Texts = {
  readonly refused: string;
  readonly demanded: (authority: string) => string;
  readonly contact: string;
  readonly request: string;
  readonly checking: string;
  readonly checkingHelp: string;
  readonly noScript: string;
};
const texts: Readonly<Record<string, Texts>> = {
  'zh-Hans': {
    refused: '当前国家/地区无法访问本站',
    demanded: (authority) => `应“${authority}”的要求限制访问。`,
    contact: '联系方式：',
    request: '请求编号：',
    checking: '正在确认访问',
    checkingHelp: '完成后会自动打开页面，一般不到一秒。',
    noScript: '启用 JavaScript 后重新打开本页。',
  },
  'zh-Hant': {
    refused: '目前的國家/地區無法瀏覽本站',
    demanded: (authority) => `應「${authority}」的要求限制瀏覽。`,
    contact: '聯絡方式：',
    request: '請求編號：',
    checking: '正在確認瀏覽',
    checkingHelp: '完成後會自動開啟頁面，通常不到一秒。',
    noScript: '啟用 JavaScript 後重新開啟本頁。',
  },
  en: {
    refused: 'This site is not available in your country or region',
    demanded: (authority) => `Access is restricted at the demand of ${authority}.`,
    contact: 'Contact: ',
    request: 'Request ID: ',
    checking: 'Checking your visit',
    checkingHelp: 'The page opens by itself, usually within a second.',
    noScript: 'Enable JavaScript and open this page again.',
  },
  ja: {
    refused: 'お住まいの国または地域からはこのサイトをご覧いただけません',
    demanded: (authority) => `${authority} の要請によりアクセスを制限しています。`,
    contact: 'お問い合わせ：',
    request: 'リクエスト番号：',
    checking: 'アクセスを確認しています',
    checkingHelp: '確認が終わるとページが自動的に開きます。',
    noScript: 'JavaScript を有効にしてから、もう一度開いてください。',
  },
  ko: {
    refused: '현재 국가 또는 지역에서는 이 사이트를 이용할 수 없습니다',
    demanded: (authority) => `${authority}의 요구에 따라 접속을 제한하고 있습니다.`,
    contact: '문의: ',
    request: '요청 번호: ',
    checking: '접속을 확인하고 있습니다',
    checkingHelp: '확인이 끝나면 페이지가 자동으로 열립니다.',
    noScript: 'JavaScript를 켠 뒤 이 페이지를 다시 여세요.',
  },
  fr: {
    refused: 'Ce site n’est pas disponible dans votre pays ou région',
    demanded: (authority) => `L’accès est restreint à la demande de ${authority}.`,
    contact: 'Contact : ',
    request: 'Numéro de la requête : ',
    checking: 'Vérification de votre visite',
    checkingHelp: 'La page s’ouvre d’elle-même, en général en une seconde.',
    noScript: 'Activez JavaScript, puis rouvrez cette page.',
  },
  de: {
    refused: 'Diese Website ist in Ihrem Land oder Ihrer Region nicht verfügbar',
    demanded: (authority) => `Der Zugriff ist auf Verlangen von ${authority} eingeschränkt.`,
    contact: 'Kontakt: ',
    request: 'Anfragenummer: ',
    checking: 'Ihr Besuch wird geprüft',
    checkingHelp: 'Die Seite öffnet sich von selbst, meist innerhalb einer Sekunde.',
    noScript: 'Aktivieren Sie JavaScript und öffnen Sie diese Seite erneut.',
  },
  es: {
    refused: 'Este sitio no está disponible en su país o región',
    demanded: (authority) => `El acceso está restringido a petición de ${authority}.`,
    contact: 'Contacto: ',
    request: 'Número de la solicitud: ',
    checking: 'Comprobando su visita',
    checkingHelp: 'La página se abre sola, normalmente en menos de un segundo.',
    noScript: 'Active JavaScript y vuelva a abrir esta página.',
  },
};

type PageSite = Pick<IndexedSite, 'name' | 'defaultLang'>;

/** The language that the visitor prefers among some, else that of the site, else the first one. */
function choose(request: Pick<FastifyRequest, 'headers'>, site: PageSite, among: readonly string[]): string | undefined {
  const preferred = preferredLanguage(request.headers['accept-language'] ?? '', among) ?? preferredLanguage(site.defaultLang, among);
  return preferred ?? among[0];
}

function voiceOf(request: Pick<FastifyRequest, 'headers'>, site: PageSite): { readonly lang: string; readonly say: Texts } {
  const lang = choose(request, site, Object.keys(texts)) ?? 'en';
  return { lang, say: texts[lang] as Texts };
}

/** The message of the site's administrators; empty if there is none. */
function messageOf(request: Pick<FastifyRequest, 'headers'>, site: PageSite, { message }: Pick<CountryRule, 'message'>): string {
  const lang = choose(
    request,
    site,
    Object.keys(message).filter((one) => message[one] !== ''),
  );
  if (lang === undefined) return '';
  return `<p lang="${escapeHtml(lang)}" dir="${directionOf(lang)}">${escapeHtml(message[lang] ?? '').replaceAll('\n', '<br>')}</p>\n`;
}

/** A request that a rule concerns. `filings`: numbers that pages show under its host. */
type Concerned = {
  readonly site: PageSite;
  readonly rule: CountryRule;
  readonly request: Pick<FastifyRequest, 'headers' | 'id'>;
  readonly filings: FilingFooter;
};

/** 403, or 451 with the authority that demands it (RFC 7725). */
export function refusalPage({ site, rule, request, filings }: Concerned): DeliveryResponse {
  const { lang, say } = voiceOf(request, site);
  const { status, authority, contact } = rule;
  const legal = status === 451;
  const reason = legal ? `<p>${escapeHtml(say.demanded(authority.name))}</p>\n` : '';
  const html = documentOf({
    lang,
    dir: directionOf(lang),
    title: say.refused,
    filings,
    body: `<h1>${say.refused}</h1>
${reason}${messageOf(request, site, rule)}${contact === '' ? '' : `<p>${say.contact}${escapeHtml(contact)}</p>\n`}<p>${say.request}${request.id}</p>`,
  });
  const response = pageResponse(status, html, 'no-store');
  return { ...response, headers: { ...response.headers, ...blockedBy(rule) } };
}

const blockedBy = ({ status, authority }: CountryRule): Readonly<Record<string, string>> =>
  status === 451 && authority.url !== '' ? { link: `<${new URL(authority.url).href}>; rel="blocked-by"` } : {};

/** A page of the site with the status of a refusal. It is not the page of its address, so that no copy of it is valid. */
export function refusalWithPage(rule: CountryRule, { headers: { etag: _etag, ...headers }, body }: DeliveryResponse): DeliveryResponse {
  return { status: rule.status, headers: { ...headers, ...blockedBy(rule) }, body };
}

/** Lets the browser solve a task; its script goes on to the page that was requested. */
export function challengePage({ site, request, filings }: Omit<Concerned, 'rule'>, task: string): DeliveryResponse {
  const { lang, say } = voiceOf(request, site);
  const html = documentOf({
    lang,
    dir: directionOf(lang),
    title: say.checking,
    filings,
    body: `<h1>${say.checking}</h1>
<p role="status">${say.checkingHelp}</p>
<noscript><p>${say.noScript}</p></noscript>
<form method="post" action="${challengePath}" id="challenge" data-bits="${String(challengeBits)}">
<input type="hidden" name="task" value="${escapeHtml(task)}">
<input type="hidden" name="number">
<input type="hidden" name="back">
</form>
<p>${say.request}${request.id}</p>
<script src="${challengeScriptPath}"></script>`,
  });
  const response = pageResponse(403, html, 'no-store');
  return { ...response, headers: { ...response.headers, 'content-security-policy': pagePolicy.replace("form-action 'none'", "form-action 'self'") } };
}
