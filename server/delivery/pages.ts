import { createHash } from 'node:crypto';
import { languages } from '../areas/languages/list';
import { escapeHtml } from '../kit/text/escapeHtml';
import type { FilingFooter } from './filingFooters';

/** Texts of the program's own pages; a site in another language gets the closest available one. */
type Messages = {
  readonly empty: string;
  readonly lost: string;
  readonly lostHelp: string;
  readonly home: string;
  readonly away: string;
  readonly gone: string;
};
const messages: Record<string, Messages> = {
  'zh-Hans': {
    empty: '网站正在准备中，内容即将上线。',
    lost: '页面不存在',
    lostHelp: '链接可能已失效，或地址有误。',
    home: '返回首页',
    away: '网站暂停访问',
    gone: '网站已关闭',
  },
  'zh-Hant': {
    empty: '網站正在準備中，內容即將上線。',
    lost: '找不到頁面',
    lostHelp: '連結可能已失效，或網址有誤。',
    home: '返回首頁',
    away: '網站暫停瀏覽',
    gone: '網站已關閉',
  },
  en: {
    empty: 'This site is being prepared.',
    lost: 'Page not found',
    lostHelp: 'The link may be out of date, or the address mistyped.',
    home: 'Go to the home page',
    away: 'This site is not available',
    gone: 'This site has closed',
  },
  ja: {
    empty: 'サイトを準備しています。',
    lost: 'ページが見つかりません',
    lostHelp: 'リンクが古いか、アドレスが間違っている可能性があります。',
    home: 'トップページへ',
    away: 'このサイトは現在ご覧いただけません',
    gone: 'このサイトは終了しました',
  },
  ko: {
    empty: '사이트를 준비하고 있습니다.',
    lost: '페이지를 찾을 수 없습니다',
    lostHelp: '링크가 오래되었거나 주소가 잘못되었을 수 있습니다.',
    home: '첫 페이지로',
    away: '현재 이용할 수 없는 사이트입니다',
    gone: '종료된 사이트입니다',
  },
  fr: {
    empty: 'Ce site est en préparation.',
    lost: 'Page introuvable',
    lostHelp: 'Le lien est peut-être périmé, ou l’adresse mal saisie.',
    home: 'Aller à l’accueil',
    away: 'Ce site n’est pas disponible',
    gone: 'Ce site a fermé',
  },
  de: {
    empty: 'Diese Website wird vorbereitet.',
    lost: 'Seite nicht gefunden',
    lostHelp: 'Der Link ist vielleicht veraltet oder die Adresse falsch geschrieben.',
    home: 'Zur Startseite',
    away: 'Diese Website ist nicht verfügbar',
    gone: 'Diese Website wurde geschlossen',
  },
  es: {
    empty: 'Este sitio está en preparación.',
    lost: 'Página no encontrada',
    lostHelp: 'El enlace puede estar caducado o la dirección mal escrita.',
    home: 'Ir al inicio',
    away: 'Este sitio no está disponible',
    gone: 'Este sitio ha cerrado',
  },
};

const style =
  'body{margin:0;min-height:100vh;display:grid;grid-template:1fr auto/minmax(0,1fr);gap:24px;padding:24px;box-sizing:border-box;text-align:center;font:16px/1.6 -apple-system,"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC","Segoe UI",sans-serif;color:#424242;background:#fff}main{display:grid;place-content:center;gap:12px}' +
  '.site-filings{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 16px;font-size:12px}.site-filings a{text-decoration:none}' +
  'h1{margin:0;font-size:28px;font-weight:600;overflow-wrap:anywhere;text-wrap:balance}p{text-wrap:balance;margin:0;color:#666}a{color:inherit}form{display:grid;gap:12px;justify-items:center}label{display:grid;gap:4px}input,button{font:inherit;box-sizing:border-box;width:280px;max-width:100%;height:44px;padding:0 12px;border:1px solid #8a8a8a;border-radius:6px;background:transparent;color:inherit}button{border:0;background:#1a4fd6;color:#fff;cursor:pointer}' +
  '@media(prefers-color-scheme:dark){body{color:#e0e0e0;background:#181818}p{color:#9e9e9e}}';

/** Content that these pages may load: their one style, and the tracker with its collector. */
export const pagePolicy = `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

export type Speaker = { readonly lang: string; readonly dir: 'ltr' | 'rtl'; readonly messages: Messages };

/** Language and texts for a site. If the texts are in another language than the site, the page's `lang` is that of the texts. */
export const speakerOf = (defaultLang: string): Speaker => {
  const lang =
    defaultLang in messages
      ? defaultLang
      : defaultLang.split('-', 1)[0] === 'zh'
        ? 'zh-Hans'
        : (Object.keys(messages).find((known) => known === defaultLang.split('-', 1)[0]) ?? 'en');
  return { lang, dir: languages().find(({ code }) => code === lang)?.dir ?? 'ltr', messages: messages[lang] as Messages };
};

export const documentOf = (page: {
  readonly lang: string;
  readonly dir: string;
  readonly title: string;
  readonly body: string;
  readonly head?: string;
  readonly filings?: FilingFooter;
}): string =>
  `<!doctype html>
<html lang="${page.lang}" dir="${page.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style>${style}</style>${page.head ? `\n${page.head}` : ''}
</head>
<body>
${[`<main>\n${page.body}\n</main>`, page.filings?.html ?? ''].filter((part) => part !== '').join('\n')}
</body>
</html>
`;

type PageSite = { readonly id: string; readonly name: string; readonly defaultLang: string; readonly identity: string };

/** The script element that measures a page of a site delivered here. */
export const tagOf = (site: Pick<PageSite, 'id' | 'identity'>): string =>
  `<script defer src="/_a/t.js" data-site="${site.id}"${site.identity === 'cookieless' ? ' data-cookieless' : ''}></script>`;

/** Home page of a site without a release. `head`: meta elements of the site. */
export const startPage = (site: PageSite, filings: FilingFooter, head = ''): string => {
  const { lang, dir, messages: say } = speakerOf(site.defaultLang);
  return documentOf({
    lang,
    dir,
    title: site.name,
    head: [tagOf(site), ...(head === '' ? [] : [head])].join('\n'),
    filings,
    body: `<h1>${escapeHtml(site.name)}</h1>\n<p>${say.empty}</p>`,
  });
};

export const lostPage = (site: PageSite, filings: FilingFooter): string => {
  const { lang, dir, messages: say } = speakerOf(site.defaultLang);
  return documentOf({
    lang,
    dir,
    title: `${say.lost} · ${site.name}`,
    head: tagOf(site),
    filings,
    body: `<h1>${say.lost}</h1>\n<p>${say.lostHelp}</p>\n<p><a href="/">${say.home}</a></p>`,
  });
};

/** Page of an archived or deleted site: no site name and no tracker. */
export const closedPage = (site: Pick<PageSite, 'defaultLang'>, gone: boolean): string => {
  const { lang, dir, messages: say } = speakerOf(site.defaultLang);
  const title = gone ? say.gone : say.away;
  return documentOf({ lang, dir, title, body: `<h1>${title}</h1>` });
};

/** Page for a host name without a site and for internal errors: reveals nothing about other sites served here. */
export const neutralPage = (status: 404 | 500): string => {
  const title = status === 404 ? '此处没有网站' : '暂时无法打开此页面';
  const other = status === 404 ? 'No site here' : 'This page cannot be opened right now';
  return documentOf({ lang: 'zh-Hans', dir: 'ltr', title, body: `<h1>${title}</h1>\n<p lang="en">${other}</p>` });
};
