/** Content and audience of the demo site. Weights are relative; all place names exist in contract/places.ts. */

export const demoHost = 'demo.example';

export type DemoPage = {
  readonly path: string;
  readonly title: string;
  /** Relative frequency of visits that begin on this page. */
  readonly entry: number;
  /** Typical reading time in seconds. */
  readonly seconds: number;
  readonly links: readonly string[];
  /** An event that occurs on this page in a share of views. */
  readonly event?: { readonly name: string; readonly share: number; readonly props: Readonly<Record<string, string>> };
};

export const pages: readonly DemoPage[] = [
  { path: '/', title: '云杉笔记 · 写下来，找得到', entry: 40, seconds: 25, links: ['/features', '/pricing', '/download', '/blog', '/docs'] },
  { path: '/features', title: '功能 - 云杉笔记', entry: 8, seconds: 55, links: ['/pricing', '/download', '/docs', '/'] },
  {
    path: '/pricing',
    title: '价格 - 云杉笔记',
    entry: 6,
    seconds: 50,
    links: ['/download', '/contact', '/docs/faq'],
    event: { name: 'signup', share: 0.09, props: { plan: '专业版' } },
  },
  {
    path: '/download',
    title: '下载 - 云杉笔记',
    entry: 9,
    seconds: 30,
    links: ['/docs/install', '/changelog'],
    event: { name: 'download', share: 0.42, props: { platform: 'Windows' } },
  },
  { path: '/docs', title: '文档 - 云杉笔记', entry: 7, seconds: 30, links: ['/docs/install', '/docs/quick-start', '/docs/sync', '/docs/api', '/docs/faq'] },
  { path: '/docs/install', title: '安装 - 云杉笔记文档', entry: 6, seconds: 90, links: ['/docs/quick-start', '/docs/faq'] },
  { path: '/docs/quick-start', title: '五分钟上手 - 云杉笔记文档', entry: 5, seconds: 150, links: ['/docs/sync', '/docs/markdown'] },
  { path: '/docs/sync', title: '多设备同步 - 云杉笔记文档', entry: 7, seconds: 120, links: ['/docs/faq', '/pricing'] },
  { path: '/docs/markdown', title: 'Markdown 语法 - 云杉笔记文档', entry: 11, seconds: 140, links: ['/docs/quick-start', '/download'] },
  { path: '/docs/api', title: 'API 参考 - 云杉笔记文档', entry: 4, seconds: 180, links: ['/docs/faq', '/changelog'] },
  { path: '/docs/faq', title: '常见问题 - 云杉笔记文档', entry: 5, seconds: 70, links: ['/contact', '/docs/sync'] },
  {
    path: '/blog',
    title: '博客 - 云杉笔记',
    entry: 4,
    seconds: 20,
    links: ['/blog/why-local-first', '/blog/reading-notes', '/blog/2026-roadmap', '/blog/markdown-tables'],
  },
  { path: '/blog/why-local-first', title: '为什么笔记应该先存在本地 - 云杉笔记', entry: 13, seconds: 240, links: ['/blog', '/features', '/download'] },
  { path: '/blog/reading-notes', title: '怎样做不会白做的读书笔记 - 云杉笔记', entry: 15, seconds: 260, links: ['/blog', '/', '/docs/markdown'] },
  { path: '/blog/2026-roadmap', title: '2026 年路线图 - 云杉笔记', entry: 3, seconds: 110, links: ['/changelog', '/blog'] },
  { path: '/blog/markdown-tables', title: '把表格写进 Markdown 的四种办法 - 云杉笔记', entry: 9, seconds: 200, links: ['/docs/markdown', '/download'] },
  { path: '/changelog', title: '更新日志 - 云杉笔记', entry: 4, seconds: 60, links: ['/download', '/blog/2026-roadmap'] },
  {
    path: '/contact',
    title: '联系我们 - 云杉笔记',
    entry: 1,
    seconds: 45,
    links: ['/docs/faq'],
    event: { name: 'message', share: 0.2, props: { topic: '售前' } },
  },
  { path: '/en/', title: 'Yunshan Notes: write it down, find it again', entry: 4, seconds: 30, links: ['/en/download', '/en/docs'] },
  { path: '/en/docs', title: 'Docs - Yunshan Notes', entry: 2, seconds: 80, links: ['/en/download', '/en/'] },
  {
    path: '/en/download',
    title: 'Download - Yunshan Notes',
    entry: 1,
    seconds: 30,
    links: ['/en/docs'],
    event: { name: 'download', share: 0.4, props: { platform: 'macOS' } },
  },
];

export type DemoSource = {
  readonly weight: number;
  readonly referrer: string;
  /** Query of the landing page. */ readonly query?: string;
  readonly abroad?: boolean;
  /** Possible landing pages; any by default. */ readonly to?: readonly string[];
};

const baidu = (word: string) => `https://www.baidu.com/s?wd=${encodeURIComponent(word)}`;
export const sources: readonly DemoSource[] = [
  { weight: 300, referrer: '' },
  { weight: 190, referrer: 'https://www.baidu.com/link?url=x' },
  { weight: 6, referrer: baidu('云杉笔记'), to: ['/'] },
  { weight: 5, referrer: baidu('markdown 表格'), to: ['/blog/markdown-tables', '/docs/markdown'] },
  { weight: 4, referrer: baidu('本地优先 笔记软件'), to: ['/blog/why-local-first', '/features'] },
  { weight: 3, referrer: `https://www.sogou.com/web?query=${encodeURIComponent('读书笔记 怎么做')}`, to: ['/blog/reading-notes'] },
  { weight: 28, referrer: 'https://www.sogou.com/' },
  { weight: 24, referrer: 'https://www.so.com/' },
  { weight: 16, referrer: 'https://m.sm.cn/' },
  { weight: 12, referrer: 'https://so.toutiao.com/' },
  { weight: 46, referrer: 'https://cn.bing.com/' },
  { weight: 30, referrer: 'https://www.google.com/', abroad: true },
  { weight: 5, referrer: 'https://duckduckgo.com/', abroad: true },
  { weight: 42, referrer: 'https://www.zhihu.com/', to: ['/blog/why-local-first', '/blog/reading-notes', '/'] },
  { weight: 30, referrer: 'https://mp.weixin.qq.com/', to: ['/blog/reading-notes', '/blog/why-local-first', '/download'] },
  { weight: 14, referrer: 'https://weibo.com/' },
  { weight: 12, referrer: 'https://www.xiaohongshu.com/', to: ['/blog/reading-notes', '/'] },
  { weight: 10, referrer: 'https://www.bilibili.com/' },
  { weight: 12, referrer: 'https://www.v2ex.com/t/1024', to: ['/', '/changelog', '/blog/why-local-first'] },
  { weight: 14, referrer: 'https://juejin.cn/', to: ['/docs/markdown', '/blog/markdown-tables', '/docs/api'] },
  { weight: 10, referrer: 'https://sspai.com/', to: ['/', '/features'] },
  { weight: 8, referrer: 'https://github.com/', abroad: true, to: ['/en/', '/docs/api'] },
  { weight: 5, referrer: 'https://news.ycombinator.com/', abroad: true, to: ['/en/'] },
  { weight: 18, referrer: 'https://www.doubao.com/' },
  { weight: 13, referrer: 'https://chat.deepseek.com/' },
  { weight: 9, referrer: 'https://www.kimi.com/' },
  { weight: 8, referrer: '', query: 'utm_source=chatgpt.com', abroad: true },
  {
    weight: 20,
    referrer: 'https://www.baidu.com/baidu.php',
    query: 'utm_source=baidu&utm_medium=cpc&utm_campaign=秋季推广&bd_vid=1',
    to: ['/', '/download', '/pricing'],
  },
  { weight: 8, referrer: '', query: 'utm_source=wechat&utm_medium=feed&utm_campaign=双十一', to: ['/pricing', '/'] },
  { weight: 12, referrer: '', query: 'utm_source=newsletter&utm_medium=email&utm_campaign=月报', to: ['/changelog', '/blog/2026-roadmap'] },
];

export type DemoAgent = { readonly weight: number; readonly agent: string; readonly screens: readonly (readonly [number, number])[]; readonly abroad?: number };
const win = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/';
const droid = 'Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const desk = [
  [1920, 1080],
  [2560, 1440],
  [1536, 864],
  [1366, 768],
] as const;
const tall = [
  [360, 800],
  [393, 873],
  [412, 915],
] as const;
const apple = [
  [390, 844],
  [393, 852],
  [430, 932],
] as const;
export const agents: readonly DemoAgent[] = [
  { weight: 20, agent: `${win} Chrome/141.0.0.0 Safari/537.36`, screens: desk, abroad: 30 },
  { weight: 9, agent: `${win} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, screens: desk, abroad: 10 },
  { weight: 4, agent: `${win} Chrome/122.0.0.0 Safari/537.36 QIHU 360SE`, screens: desk },
  { weight: 3, agent: `${win} Chrome/123.0.0.0 Safari/537.36 QQBrowser/13.5.6267.400`, screens: desk },
  { weight: 2, agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', screens: desk, abroad: 6 },
  {
    weight: 7,
    agent: `${mac}605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
    screens: [
      [1440, 900],
      [1512, 982],
      [1728, 1117],
    ],
    abroad: 16,
  },
  {
    weight: 6,
    agent: `${mac}537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36`,
    screens: [
      [1440, 900],
      [1512, 982],
    ],
    abroad: 12,
  },
  { weight: 2, agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36', screens: desk, abroad: 5 },
  {
    weight: 13,
    agent: `${droid} Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.54.2760(0x28003636) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN`,
    screens: tall,
  },
  { weight: 9, agent: `${phone} Mobile/15E148 MicroMessenger/8.0.54(0x1800362c) NetType/WIFI Language/zh_CN`, screens: apple },
  { weight: 8, agent: `${phone} Version/18.1 Mobile/15E148 Safari/604.1`, screens: apple, abroad: 18 },
  { weight: 5, agent: `${droid} Chrome/141.0.0.0 Mobile Safari/537.36`, screens: tall, abroad: 20 },
  { weight: 5, agent: `${droid} Chrome/100.0.4896.58 UCBrowser/16.6.9 Mobile Safari/537.36`, screens: tall },
  { weight: 4, agent: `${droid} Chrome/123.0.0.0 Quark/7.4.5.681 Mobile Safari/537.36`, screens: tall },
  { weight: 4, agent: `${droid} Chrome/97.0.4692.98 Mobile Safari/537.36 baiduboxapp/13.60.0.10`, screens: tall },
  {
    weight: 4,
    agent: 'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile',
    screens: [[384, 832]],
  },
  {
    weight: 3,
    agent: 'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    screens: [[820, 1180]],
    abroad: 4,
  },
];

export const crawlers: readonly { readonly weight: number; readonly agent: string }[] = [
  { weight: 6, agent: 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)' },
  { weight: 4, agent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' },
  { weight: 4, agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  { weight: 3, agent: 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)' },
  { weight: 2, agent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)' },
];

/** Country, province, city, weight. */
export const places: readonly (readonly [string, string, string, number])[] = [
  ['CN', 'CN-GD', 'Shenzhen', 60],
  ['CN', 'CN-GD', 'Guangzhou', 55],
  ['CN', 'CN-GD', 'Dongguan', 14],
  ['CN', 'CN-GD', 'Foshan', 12],
  ['CN', 'CN-BJ', 'Beijing', 90],
  ['CN', 'CN-SH', 'Shanghai', 85],
  ['CN', 'CN-ZJ', 'Hangzhou', 52],
  ['CN', 'CN-ZJ', 'Ningbo', 14],
  ['CN', 'CN-JS', 'Nanjing', 30],
  ['CN', 'CN-JS', 'Suzhou', 28],
  ['CN', 'CN-SC', 'Chengdu', 40],
  ['CN', 'CN-HB', 'Wuhan', 34],
  ['CN', 'CN-SN', "Xi'an", 24],
  ['CN', 'CN-CQ', 'Chongqing', 22],
  ['CN', 'CN-SD', 'Jinan', 14],
  ['CN', 'CN-SD', 'Qingdao', 16],
  ['CN', 'CN-FJ', 'Xiamen', 16],
  ['CN', 'CN-FJ', 'Fuzhou', 12],
  ['CN', 'CN-HN', 'Changsha', 20],
  ['CN', 'CN-HA', 'Zhengzhou', 22],
  ['CN', 'CN-TJ', 'Tianjin', 14],
  ['CN', 'CN-AH', 'Hefei', 14],
  ['CN', 'CN-LN', 'Dalian', 8],
  ['CN', 'CN-LN', 'Shenyang', 9],
  ['CN', 'CN-HE', 'Shijiazhuang', 10],
  ['CN', 'CN-JX', 'Nanchang', 8],
  ['CN', 'CN-GX', 'Nanning', 8],
  ['CN', 'CN-YN', 'Kunming', 8],
  ['CN', 'CN-HL', 'Harbin', 6],
  ['CN', 'CN-JL', 'Changchun', 5],
  ['CN', 'CN-GZ', 'Guiyang', 5],
  ['CN', 'CN-HI', 'Haikou', 4],
  ['CN', 'CN-XJ', 'Ürümqi', 3],
  ['CN', 'CN-NM', 'Hohhot', 3],
  ['CN', 'CN-HK', 'Hong Kong', 12],
  ['CN', 'CN-TW', 'Taipei', 10],
];
export const placesAbroad: readonly (readonly [string, string, string, number])[] = [
  ['US', 'California', 'San Jose', 20],
  ['US', 'Washington', 'Seattle', 10],
  ['US', 'New York', 'New York', 10],
  ['SG', '', 'Singapore', 16],
  ['JP', 'Tokyo', 'Tokyo', 15],
  ['DE', 'Hesse', 'Frankfurt am Main', 8],
  ['GB', 'England', 'London', 8],
  ['CA', 'Ontario', 'Toronto', 6],
  ['AU', 'New South Wales', 'Sydney', 6],
  ['KR', 'Seoul', 'Seoul', 5],
  ['MY', 'Kuala Lumpur', 'Kuala Lumpur', 5],
  ['FR', 'Île-de-France', 'Paris', 4],
];
export const operators = ['电信', '联通', '移动'] as const;
