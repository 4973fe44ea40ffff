/**
 * Chinese and English names of stored values of the classifier: engines, networks, assistants, browsers and operators. A name that is the same in both
 * languages (Chrome, ChatGPT) is not listed and is shown as stored.
 */
const zh: Record<string, string> = {
  // Search engines
  Baidu: '百度',
  '360 Search': '360 搜索',
  Sogou: '搜狗',
  Shenma: '神马',
  Quark: '夸克',
  'Toutiao Search': '头条搜索',
  Soso: '搜搜',
  Youdao: '有道',
  'China Search': '中国搜索',
  'Petal Search': '花瓣搜索',
  Bing: '必应',
  Google: '谷歌',
  'Google Scholar': '谷歌学术',
  'Google Maps': '谷歌地图',
  // Networks and sites
  WeChat: '微信',
  WeCom: '企业微信',
  QQ: 'QQ',
  Weibo: '微博',
  Douyin: '抖音',
  Toutiao: '今日头条',
  Kuaishou: '快手',
  Xiaohongshu: '小红书',
  Zhihu: '知乎',
  Bilibili: '哔哩哔哩',
  Douyu: '斗鱼',
  Huya: '虎牙',
  Renren: '人人网',
  MissEvan: '猫耳 FM',
  Zhongsou: '中搜',
  Douban: '豆瓣',
  'Baidu Tieba': '百度贴吧',
  Juejin: '掘金',
  Jianshu: '简书',
  Hupu: '虎扑',
  Feishu: '飞书',
  DingTalk: '钉钉',
  'Tencent Ads': '腾讯广告',
  // Assistants
  Doubao: '豆包',
  Yuanbao: '腾讯元宝',
  Metaso: '秘塔',
  Qwen: '通义千问',
  'ERNIE Bot': '文心一言',
  ChatGLM: '智谱清言',
  Spark: '讯飞星火',
  'Nami AI': '纳米 AI',
  'Quark AI': '夸克 AI',
  Tiangong: '天工',
  Stepfun: '阶跃星辰',
  Baichuan: '百川',
  Coze: '扣子',
  // Mail
  'QQ Mail': 'QQ 邮箱',
  'NetEase Mail': '网易邮箱',
  'Sina Mail': '新浪邮箱',
  'Sohu Mail': '搜狐邮箱',
  '139 Mail': '139 邮箱',
  'Aliyun Mail': '阿里邮箱',
  'Yahoo Mail': '雅虎邮箱',
  // Browsers and apps
  Alipay: '支付宝',
  Taobao: '淘宝',
  Tmall: '天猫',
  JD: '京东',
  'Baidu App': '百度 App',
  'Baidu Browser': '百度浏览器',
  'QQ Browser': 'QQ 浏览器',
  'UC Browser': 'UC 浏览器',
  '360 Browser': '360 浏览器',
  'Sogou Browser': '搜狗浏览器',
  'Sogou Search': '搜狗搜索 App',
  'Huawei Browser': '华为浏览器',
  'MIUI Browser': '小米浏览器',
  'Vivo Browser': 'vivo 浏览器',
  'OPPO Browser': 'OPPO 浏览器',
  'Liebao Browser': '猎豹浏览器',
  '2345 Browser': '2345 浏览器',
  'TheWorld Browser': '世界之窗',
  Maxthon: '傲游',
  'Samsung Internet': '三星浏览器',
};
const en: Record<string, string> = {
  // Operators are stored under their Chinese names.
  电信: 'China Telecom',
  联通: 'China Unicom',
  移动: 'China Mobile',
  广电: 'China Broadnet',
  教育网: 'CERNET',
  阿里云: 'Alibaba Cloud',
  腾讯云: 'Tencent Cloud',
  华为云: 'Huawei Cloud',
  百度: 'Baidu',
  鹏博士: 'Dr. Peng',
  中华电信: 'Chunghwa Telecom',
  电讯盈科: 'PCCW',
  香港宽频: 'HKBN',
  澳门电讯: 'CTM',
};

/** Returns the localized name of a stored product or operator; a version suffix (`WeChat 8.0`) is retained. */
export const productName = (stored: string, locale: 'zh-CN' | 'en'): string => {
  const names = locale === 'en' ? en : zh;
  if (Object.hasOwn(names, stored)) return names[stored] as string;
  const [, name = '', version = ''] = /^(.+?)( \d[\d.]*)$/.exec(stored) ?? [];
  return Object.hasOwn(names, name) ? `${names[name] as string}${version}` : stored;
};

/** Returns the stored names whose localized form in either language contains `part`, case-insensitively. */
export const storedProducts = (part: string): string[] => {
  const needle = part.toLowerCase();
  return [...Object.entries(zh), ...Object.entries(en)].flatMap(([stored, displayName]) => (displayName.toLowerCase().includes(needle) ? [stored] : []));
};
