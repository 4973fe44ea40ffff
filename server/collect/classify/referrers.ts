import { parse } from 'tldts';
import type { SourceType } from '../../../contract/analytics/schemas';

export type Referrer = {
  readonly type: Extract<SourceType, 'search' | 'social' | 'ai' | 'email'>;
  /** English product name; contract/names.ts has the Chinese ones. */
  readonly name: string;
  /** Query parameters that may contain the search term, in order of preference. */
  readonly searchParameters: readonly string[];
  /** Old pages of Chinese search engines use GBK without declaring it. */
  readonly gbk: boolean;
};

/**
 * Known referrers, one per line: name | hosts | search parameters. Hosts: `x.com` is that host, also with www., m. or wap.; `.x.com` all subdomains too; `x.*`
 * any public suffix. A tilde marks search engines that may use GBK. Facts from matomo-org/searchengine-and-social-list 1.4.1 (CC0-1.0) and our own additions.
 */
const search = `
Baidu | ~ baidu.com www1.baidu.com baidu.cn image.baidu.com news.baidu.com video.baidu.com v.baidu.com fanyi.baidu.com map.baidu.com xueshu.baidu.com cn.baidu.com | wd word kw query q
360 Search | ~ so.com so.360.cn sou.com haosou.com image.so.com news.so.com | q
Sogou | ~ sogou.com wap.sogou.com news.sogou.com pic.sogou.com weixin.sogou.com zhihu.sogou.com sogo.com | query keyword w
Shenma | ~ sm.cn yz.m.sm.cn so.m.sm.cn quark.sm.cn m.yz.sm.cn | q
Quark | quark.cn vt.quark.cn b.quark.cn | q
Toutiao Search | so.toutiao.com m.so.toutiao.com tsearch.toutiaoapi.com | keyword q
Soso | ~ soso.com wap.soso.com | w query
Youdao | ~ youdao.com dict.youdao.com | q
China Search | ~ chinaso.com | q wd
Petal Search | .petalsearch.com | query q
Bing | .bing.com bing.cn cn.bing.com | q
Google Scholar | scholar.google.* | q
Google Maps | maps.google.* | q
Google | google.* translate.google.* video.google.* blogsearch.google.* ipv6.google.com www2.google.com images.google.* news.google.* encrypted.google.* cse.google.* googlequicksearchbox | q query as_q
Yahoo | .search.yahoo.* yahoo.* | p q
Yandex | yandex.* ya.ru .yandex.ru images.yandex.* clck.yandex.* | text query
Lilo | .lilo.org | q
DuckDuckGo | .duckduckgo.com ddg.gg | q
Ecosia | .ecosia.org | q
Brave Search | search.brave.com | q
Startpage | .startpage.com .startpage.nl .ixquick.com | query q
Qwant | .qwant.com | q
Naver | search.naver.com m.search.naver.com .search.naver.com | query
Daum | search.daum.net m.search.daum.net | q
Seznam | search.seznam.cz .seznam.cz | q
Mail.ru | go.mail.ru | q
Rambler | nova.rambler.ru | query
Coc Coc | .coccoc.com | query q
Kagi | .kagi.com | q
Mojeek | .mojeek.com | q
Swisscows | .swisscows.com | query
MetaGer | metager.org metager.de | eingabe q
AOL | search.aol.com search.aol.* | q query
Ask | .ask.com | q
Dogpile | .dogpile.com | q
Lycos | search.lycos.com | q
Goo | search.goo.ne.jp | MT
Excite | websearch.excite.co.jp | q
Presearch | .presearch.com .presearch.org | q
Yep | .yep.com | q
Searx | .searx.be .searx.me .searxng.org | q
Gibiru | .gibiru.com | q
Onet | szukaj.onet.pl | q
Virgilio | ricerca.virgilio.it | qs
SFR | recherche.sfr.fr | q
T-Online | suche.t-online.de | q
WEB.DE | suche.web.de | q su
GMX | suche.gmx.net | q su
You.com Search | search.you.com | q
Karma | .karmasearch.org | q
OceanHero | .oceanhero.today | q
Freespoke | .freespoke.com | q
Stract | .stract.com | q
Gigablast | .gigablast.com | q
Exalead | .exalead.com .exalead.fr | q
Disconnect Search | search.disconnect.me | q
Avira SafeSearch | search.avira.com search.avira.net safesearch.avira.com | q
PrivacyWall | .privacywall.org | q
SearchLock | .searchlock.com | q
Info.com | .info.com | qkw q
ZapMeta | .zapmeta.com .zapmetasearch.com | q query
MetaCrawler | .metacrawler.com | q
Mamma | .mamma.com | query q
Hotbot | .hotbot.com | q query
Search.com | .search.com | q
Babylon | search.babylon.com | q
Comcast | search.comcast.net | q
EarthLink | search.earthlink.net | q
Frontier | search.frontier.com | q
Nate | search.nate.com | q
Rakuten Search | websearch.rakuten.co.jp | qt
Nifty | search.nifty.com search.azby.fmworld.net | q Text
Biglobe | .search.biglobe.ne.jp | q
au one | .search.auone.jp search.auone.jp | q
So-net | www.so-net.ne.jp | query
Yam | search.yam.com | k
Zhongsou | p.zhongsou.com | w
Centrum | search.centrum.cz | q
Zoznam | .zoznam.sk | s
Najdi.si | .najdi.si | q
Meta.ua | .meta.ua | q
Nigma | .nigma.ru | s
Sputnik | .sputnik.ru | q
Wirtualna Polska | szukaj.wp.pl | szukaj q
Free | search.free.fr | q qs
Orange | busca.orange.es lemoteur.orange.fr | q kw
Freenet | suche.freenet.de | query
Arianna | arianna.libero.it | query
Tiscali | search.tiscali.it | q
Sapo | pesquisa.sapo.pt | q
Terra | .buscador.terra.es buscador.terra.es buscador.terra.cl buscador.terra.com.br | query source
UOL | busca.uol.com.br | q
Startsiden | .startsiden.no | q
Kvasir | .kvasir.no | q
Eniro | .eniro.se | search_word
Bluewin | search.bluewin.ch | searchTerm
Entireweb | .entireweb.com | q
Picsearch | .picsearch.com | q
`;
const ai = `
ChatGPT | .chatgpt.com chat.openai.com labs.openai.com
Claude | .claude.ai claude.com
Copilot | copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft
Gemini | gemini.google.com bard.google.com
NotebookLM | notebooklm.google.com
Perplexity | .perplexity.ai
Grok | .grok.com
Meta AI | .meta.ai
Le Chat | chat.mistral.ai
Duck.ai | .duck.ai
You.com | you.com
iAsk | .iask.ai
Poe | .poe.com
Phind | .phind.com
Felo | .felo.ai
Genspark | .genspark.ai
Manus | .manus.im
Jasper | app.jasper.ai
Writesonic | app.writesonic.com
DeepSeek | .deepseek.com
Doubao | .doubao.com
Kimi | .kimi.com .kimi.ai kimi.moonshot.cn
Yuanbao | yuanbao.tencent.com .yuanbao.com
Metaso | .metaso.cn
Qwen | chat.qwen.ai .qwen.ai .tongyi.com tongyi.aliyun.com qianwen.aliyun.com .qianwen.com
ERNIE Bot | yiyan.baidu.com chat.baidu.com ai.baidu.com wenxin.baidu.com
ChatGLM | .chatglm.cn chat.z.ai .chatglm.com
Spark | xinghuo.xfyun.cn
Nami AI | .n.cn bot.n.cn
Quark AI | ai.quark.cn
MiniMax | .hailuoai.com agent.minimax.io chat.minimax.io
Tiangong | .tiangong.cn
Stepfun | .yuewen.cn .stepfun.com
Baichuan | ying.baichuan-ai.com ying.ai
Coze | .coze.cn .coze.com
`;
const social = `
WeChat | mp.weixin.qq.com weixin.qq.com wx.qq.com weixin110.qq.com channels.weixin.qq.com servicewechat.com com.tencent.mm
QQ | qzone.qq.com user.qzone.qq.com im.qq.com web.qq.com c.pc.qq.com com.tencent.mobileqq
Weibo | .weibo.com .weibo.cn t.cn com.sina.weibo
Douyin | .douyin.com .iesdouyin.com com.ss.android.ugc.aweme
Toutiao | .toutiao.com .toutiaocdn.com .toutiaoimg.cn com.ss.android.article.news
Kuaishou | .kuaishou.com .chenzhongtech.com .gifshow.com
Xiaohongshu | .xiaohongshu.com .xhslink.com .rednote.com com.xingin.xhs
Zhihu | .zhihu.com com.zhihu.android
Bilibili | .bilibili.com b23.tv
Douban | .douban.com
Baidu Tieba | tieba.baidu.com c.tieba.baidu.com jump.bdimg.com jump2.bdimg.com
V2EX | .v2ex.com
Juejin | .juejin.cn link.juejin.cn
CSDN | .csdn.net
Jianshu | .jianshu.com
Hupu | .hupu.com
Facebook | .facebook.com fb.me .messenger.com com.facebook.katana
Instagram | .instagram.com com.instagram.android
Threads | .threads.net .threads.com
X | .twitter.com x.com t.co com.twitter.android
LinkedIn | .linkedin.com lnkd.in com.linkedin.android
Pinterest | .pinterest.com pinterest.* pin.it
Reddit | .reddit.com redd.it com.reddit.frontpage
YouTube | .youtube.com youtu.be
TikTok | .tiktok.com
Telegram | .telegram.org t.me web.telegram.org org.telegram.messenger
WhatsApp | .whatsapp.com wa.me
LINE | .line.me
KakaoTalk | .kakao.com
VK | .vk.com vk.ru .vkontakte.ru
Odnoklassniki | .ok.ru .odnoklassniki.ru
Discord | .discord.com discord.gg .discordapp.com
Quora | .quora.com
Medium | medium.com
GitHub | .github.com
Stack Overflow | .stackoverflow.com
Hacker News | news.ycombinator.com hckrnews.com
Lobsters | lobste.rs
Product Hunt | .producthunt.com
Mastodon | mastodon.social mastodon.online mastodon.cloud mstdn.jp mstdn.social mastodon.world mas.to fosstodon.org hachyderm.io techhub.social infosec.exchange pawoo.net mastodon.art
Bluesky | bsky.app go.bsky.app skyfeed.app
Tumblr | .tumblr.com t.umblr.com
Snapchat | .snapchat.com com.snapchat.android
Vimeo | .vimeo.com
Flickr | .flickr.com
XING | .xing.com
Niconico | .nicovideo.jp nico.ms
Mixi | .mixi.jp
Twitch | .twitch.tv
SoundCloud | .soundcloud.com gate.sc
Last.fm | last.fm lastfm.*
LiveJournal | .livejournal.com .livejournal.ru
My World | my.mail.ru
Dribbble | .dribbble.com
Behance | .behance.net
Foursquare | .foursquare.com
Viadeo | .viadeo.com
Badoo | .badoo.com
Myspace | .myspace.com
Taringa | .taringa.net
Skyrock | .skyrock.com
Gree | .gree.jp
TwitCasting | .twitcasting.tv
Renren | .renren.com
Douyu | .douyu.com
Huya | .huya.com
MissEvan | .missevan.com
Pixelfed | .pixelfed.social .pixelfed.de
StumbleUpon | .stumbleupon.com
Workplace | .workplace.com
MyHeritage | .myheritage.com
Classmates | .classmates.com
hi5 | .hi5.com
Slack | .slack.com
Feishu | .feishu.cn .larksuite.com
DingTalk | .dingtalk.com
`;
const email = `
QQ Mail | mail.qq.com wx.mail.qq.com exmail.qq.com en.exmail.qq.com
NetEase Mail | .mail.163.com mail.163.com mail.126.com mail.yeah.net .mail.126.com qiye.163.com mail.qiye.163.com
Sina Mail | mail.sina.com.cn mail.sina.cn
Sohu Mail | mail.sohu.com
139 Mail | .mail.10086.cn mail.10086.cn
Aliyun Mail | mail.aliyun.com qiye.aliyun.com
Gmail | mail.google.com com.google.android.gm
Outlook | outlook.live.com outlook.office.com outlook.office365.com outlook.com
Yahoo Mail | mail.yahoo.com mail.yahoo.co.jp
iCloud Mail | www.icloud.com
Proton Mail | mail.proton.me
Zoho Mail | mail.zoho.com
Mail.ru Mail | e.mail.ru
Yandex Mail | mail.yandex.ru mail.yandex.com
`;

const exact = new Map<string, Referrer>();
const under = new Map<string, Referrer>();
const anySuffix = new Map<string, Referrer>();
const underAnySuffix = new Map<string, Referrer>();
const byName = new Map<string, Referrer>();
for (const [type, table] of [
  ['search', search],
  ['social', social],
  ['email', email],
  ['ai', ai],
] as const) {
  for (const line of table.trim().split('\n')) {
    const [name = '', hosts = '', parameters = ''] = line.split('|').map((cell) => cell.trim());
    const gbk = hosts.startsWith('~ ');
    const referrer: Referrer = { type, name, searchParameters: parameters === '' ? [] : parameters.split(' '), gbk };
    byName.set(name.toLowerCase(), referrer);
    for (const host of hosts.replace('~ ', '').split(' ')) {
      if (host.endsWith('.*')) (host.startsWith('.') ? underAnySuffix : anySuffix).set(host.replace(/^\./, '').slice(0, -2), referrer);
      else if (host.startsWith('.')) under.set(host.slice(1), referrer);
      else exact.set(host, referrer);
    }
  }
}

/** Other values of `utm_source` that people use for referrers in the tables. */
const aliases = new Map(
  Object.entries({
    weixin: 'wechat',
    wechat_mp: 'wechat',
    gongzhonghao: 'wechat',
    微信: 'wechat',
    公众号: 'wechat',
    微博: 'weibo',
    抖音: 'douyin',
    小红书: 'xiaohongshu',
    xhs: 'xiaohongshu',
    rednote: 'xiaohongshu',
    red: 'xiaohongshu',
    知乎: 'zhihu',
    头条: 'toutiao',
    今日头条: 'toutiao',
    快手: 'kuaishou',
    b站: 'bilibili',
    百度: 'baidu',
    搜狗: 'sogou',
    360: '360 search',
    so: '360 search',
    神马: 'shenma',
    sm: 'shenma',
    twitter: 'x',
    fb: 'facebook',
    ig: 'instagram',
    openai: 'chatgpt',
    豆包: 'doubao',
    元宝: 'yuanbao',
    钉钉: 'dingtalk',
    飞书: 'feishu',
    lark: 'feishu',
  }),
);

/** The referrer of a host; `null` if it is not in the tables. */
export const referrerByHost = (host: string): Referrer | null => {
  const plain = host.replace(/^(?:www|m|wap|mobile|amp)\./, '');
  const known = exact.get(host) ?? exact.get(plain);
  if (known) return known;
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const found = under.get(rest);
    if (found) return found;
  }
  const { subdomain, domainWithoutSuffix } = parse(plain);
  if (!domainWithoutSuffix) return null;
  const whole = subdomain ? `${subdomain}.${domainWithoutSuffix}` : domainWithoutSuffix;
  const found = anySuffix.get(whole);
  if (found) return found;
  for (let rest = whole; rest !== ''; rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : '') {
    const parent = underAnySuffix.get(rest);
    if (parent) return parent;
  }
  return null;
};

/** The referrer named by a `utm_source`: a host, a name or a usual abbreviation. */
export const referrerByName = (written: string): Referrer | null => {
  const name = written.trim().toLowerCase();
  return byName.get(aliases.get(name) ?? name) ?? (name.includes('.') ? referrerByHost(name) : null);
};
