import fc from 'fast-check';
import { sourceOf, type Source } from './index';

const page = 'https://www.shop.example/';
const from = (referrer: string, url = page): Source => sourceOf({ url, referrer, siteHosts: ['shop.example', 'blog.shop.example'] });

describe('sourceOf, by referrer', () => {
  test.each([
    // Search, China
    ['https://www.baidu.com/', 'search', 'Baidu', ''],
    ['https://www.baidu.com/link?url=abc&eqid=d2f', 'search', 'Baidu', ''],
    ['https://www.baidu.com/s?ie=utf-8&wd=%E5%BE%AE%E4%BF%A1', 'search', 'Baidu', '微信'],
    ['http://www.baidu.com/s?ie=gb2312&wd=%CE%A2%D0%C5', 'search', 'Baidu', '微信'],
    ['http://www.baidu.com/s?wd=%CE%A2%D0%C5', 'search', 'Baidu', '微信'],
    ['https://m.baidu.com/s?word=%E9%9E%8B%E5%AD%90', 'search', 'Baidu', '鞋子'],
    ['https://m.baidu.com/from=844b/s?word=a+b', 'search', 'Baidu', 'a b'],
    ['https://www.so.com/s?q=%E9%9E%8B&src=srp', 'search', '360 Search', '鞋'],
    ['https://m.so.com/s?q=x', 'search', '360 Search', 'x'],
    ['https://www.sogou.com/web?query=%E4%B8%AD%E5%9B%BD', 'search', 'Sogou', '中国'],
    ['https://m.sogou.com/web/searchList.jsp?keyword=%E9%9E%8B', 'search', 'Sogou', '鞋'],
    ['https://wap.sogou.com/web/sl?keyword=%D0%AC', 'search', 'Sogou', '鞋'],
    ['https://m.sm.cn/s?q=%E9%9E%8B', 'search', 'Shenma', '鞋'],
    ['https://yz.m.sm.cn/s?q=x', 'search', 'Shenma', 'x'],
    ['https://quark.sm.cn/s?q=x', 'search', 'Shenma', 'x'],
    ['https://so.toutiao.com/search?keyword=%E9%9E%8B', 'search', 'Toutiao Search', '鞋'],
    ['https://cn.bing.com/search?q=%E9%9E%8B&form=QBLH', 'search', 'Bing', '鞋'],
    ['https://www.chinaso.com/newssearch/all?q=x', 'search', 'China Search', 'x'],
    // Search, world
    ['https://www.google.com/', 'search', 'Google', ''],
    ['https://www.google.com.hk/', 'search', 'Google', ''],
    ['https://www.google.co.uk/search?q=red+shoes', 'search', 'Google', 'red shoes'],
    ['android-app://com.google.android.googlequicksearchbox/', 'search', 'Google', ''],
    ['https://yandex.ru/search/?text=%D0%BE%D0%B1%D1%83%D0%B2%D1%8C', 'search', 'Yandex', 'обувь'],
    ['https://yandex.com.tr/search/?text=x', 'search', 'Yandex', 'x'],
    ['https://search.yahoo.com/search?p=x', 'search', 'Yahoo', 'x'],
    ['https://search.yahoo.co.jp/search?p=%E9%9D%B4', 'search', 'Yahoo', '靴'],
    ['https://r.search.yahoo.com/', 'search', 'Yahoo', ''],
    ['https://duckduckgo.com/?q=x', 'search', 'DuckDuckGo', 'x'],
    ['https://html.duckduckgo.com/', 'search', 'DuckDuckGo', ''],
    ['https://www.ecosia.org/search?q=x', 'search', 'Ecosia', 'x'],
    ['https://search.naver.com/search.naver?query=%EC%8B%A0%EB%B0%9C', 'search', 'Naver', '신발'],
    ['https://search.brave.com/search?q=x', 'search', 'Brave Search', 'x'],
    ['https://scholar.google.com/', 'search', 'Google Scholar', ''],
    ['https://scholar.google.de/scholar?q=bees', 'search', 'Google Scholar', 'bees'],
    ['https://maps.google.com/', 'search', 'Google Maps', ''],
    ['https://search.lilo.org/?q=x', 'search', 'Lilo', 'x'],
    ['https://vimeo.com/12', 'social', 'Vimeo', ''],
    ['https://www.flickr.com/photos/1', 'social', 'Flickr', ''],
    ['https://www.xing.com/', 'social', 'XING', ''],
    ['https://www.nicovideo.jp/watch/sm9', 'social', 'Niconico', ''],
    ['https://mixi.jp/', 'social', 'Mixi', ''],
    // Assistants
    ['https://chatgpt.com/', 'ai', 'ChatGPT', ''],
    ['https://chat.openai.com/', 'ai', 'ChatGPT', ''],
    ['https://gemini.google.com/', 'ai', 'Gemini', ''],
    ['https://www.perplexity.ai/', 'ai', 'Perplexity', ''],
    ['https://copilot.microsoft.com/', 'ai', 'Copilot', ''],
    ['https://claude.ai/', 'ai', 'Claude', ''],
    ['https://x.com/i/grok', 'ai', 'Grok', ''],
    ['https://chat.deepseek.com/', 'ai', 'DeepSeek', ''],
    ['https://www.doubao.com/', 'ai', 'Doubao', ''],
    ['https://www.kimi.com/', 'ai', 'Kimi', ''],
    ['https://kimi.moonshot.cn/', 'ai', 'Kimi', ''],
    ['https://yuanbao.tencent.com/', 'ai', 'Yuanbao', ''],
    ['https://metaso.cn/', 'ai', 'Metaso', ''],
    ['https://yiyan.baidu.com/', 'ai', 'ERNIE Bot', ''],
    ['https://chatglm.cn/', 'ai', 'ChatGLM', ''],
    ['https://www.tongyi.com/', 'ai', 'Qwen', ''],
    // Networks
    ['https://mp.weixin.qq.com/', 'social', 'WeChat', ''],
    ['android-app://com.tencent.mm/', 'social', 'WeChat', ''],
    ['https://weibo.com/', 'social', 'Weibo', ''],
    ['https://t.cn/A6abc', 'social', 'Weibo', ''],
    ['https://www.douyin.com/', 'social', 'Douyin', ''],
    ['https://www.xiaohongshu.com/', 'social', 'Xiaohongshu', ''],
    ['https://link.zhihu.com/', 'social', 'Zhihu', ''],
    ['https://www.bilibili.com/', 'social', 'Bilibili', ''],
    ['https://tieba.baidu.com/p/1', 'social', 'Baidu Tieba', ''],
    ['https://www.toutiao.com/', 'social', 'Toutiao', ''],
    ['https://t.co/x', 'social', 'X', ''],
    ['https://l.facebook.com/', 'social', 'Facebook', ''],
    // Mail
    ['https://mail.qq.com/', 'email', 'QQ Mail', ''],
    ['https://mail.163.com/', 'email', 'NetEase Mail', ''],
    ['https://mail.google.com/mail/u/0/', 'email', 'Gmail', ''],
    // Other sites, by registrable domain
    ['https://news.example.co.uk/a', 'external', 'example.co.uk', ''],
    ['https://zhidao.baidu.com/question/1', 'external', 'baidu.com', ''],
    ['https://docs.google.com/d', 'external', 'google.com', ''],
    ['https://notbaidu.com/s?wd=x', 'external', 'notbaidu.com', ''],
    ['https://google.evil.example/search?q=x', 'external', 'evil.example', ''],
    ['http://198.51.100.7/x', 'external', '198.51.100.7', ''],
    ['https://店铺.example/', 'external', '店铺.example', ''],
    // The site itself, and no referrer
    ['https://shop.example/list', 'internal', '', ''],
    ['https://WWW.Shop.Example./list', 'internal', '', ''],
    ['https://blog.shop.example/list', 'internal', '', ''],
    ['', 'direct', '', ''],
    ['about:blank', 'direct', '', ''],
    ['file:///C:/page.html', 'direct', '', ''],
    ['not an address', 'direct', '', ''],
  ])('%s is %s %s %s', (referrer, sourceType, sourceName, keyword) => {
    expect(from(referrer)).toMatchObject({ sourceType, sourceName, keyword, keywordFrom: keyword === '' ? '' : 'referrer' });
  });

  test('keeps the referring page without fragment and tracking parameters', () => {
    expect(from('https://news.example.org/a/b?id=7&utm_source=x&gclid=1&spm=a.b#top')).toMatchObject({
      refHost: 'news.example.org',
      refPath: '/a/b',
      refUrl: 'https://news.example.org/a/b?id=7',
    });
  });
});

describe('sourceOf, by the page address', () => {
  test.each([
    ['?utm_source=chatgpt.com', '', 'ai', 'ChatGPT'],
    ['?utm_source=weixin&utm_medium=social', '', 'social', 'WeChat'],
    ['?utm_source=baidu&utm_medium=cpc', 'https://www.baidu.com/', 'ad', 'Baidu'],
    ['?utm_source=baidu&utm_medium=organic', '', 'search', 'Baidu'],
    ['?utm_source=newsletter', '', 'email', 'newsletter'],
    ['?utm_source=spring&utm_medium=edm', '', 'email', 'spring'],
    ['?utm_source=partner', '', 'external', 'partner'],
    ['?utm_source=foo&utm_medium=信息流', '', 'ad', 'foo'],
    ['?utm_source=constructor', '', 'external', 'constructor'],
    ['?utm_medium=cpc', 'https://www.sogou.com/', 'ad', 'Sogou'],
    ['?gclid=1', '', 'ad', 'Google'],
    ['?bd_vid=1', 'https://www.baidu.com/', 'ad', 'Baidu'],
    ['?qhclickid=1', '', 'ad', '360 Search'],
    ['?msclkid=1', '', 'ad', 'Bing'],
    ['?gclid=', '', 'direct', ''],
    ['?fbclid=1', 'https://l.facebook.com/', 'social', 'Facebook'],
    ['?fbclid=1', '', 'direct', ''],
    ['?gclid=1&utm_source=x', 'https://www.shop.example/?gclid=1', 'internal', ''],
  ])('%s after %s is %s %s', (query, referrer, sourceType, sourceName) => {
    expect(from(referrer, page + query)).toMatchObject({ sourceType, sourceName });
  });

  test('reads campaign, ad keyword and click id type', () => {
    expect(from('', `${page}?utm_source=Baidu&utm_medium=cpc&utm_campaign=%E6%98%A5&utm_term=%E9%9E%8B&utm_content=a&bd_vid=9`)).toMatchObject({
      sourceType: 'ad',
      sourceName: 'Baidu',
      utmSource: 'Baidu',
      utmMedium: 'cpc',
      utmCampaign: '春',
      utmTerm: '鞋',
      utmContent: 'a',
      keyword: '鞋',
      keywordFrom: 'ad_param',
      clickId: 'bd_vid',
    });
  });
  test('understands Baidu Tongji parameters, also in GBK', () => {
    expect(from('', `${page}?hmsr=baidu&hmpl=sem&hmcu=c1&hmkw=%CE%A2%D0%C5`)).toMatchObject({
      sourceType: 'ad',
      sourceName: 'Baidu',
      utmCampaign: 'c1',
      keyword: '微信',
      keywordFrom: 'ad_param',
    });
  });
  test('the real search terms win over the ad keyword', () => {
    expect(from('https://www.baidu.com/s?wd=%E9%9E%8B', `${page}?bd_vid=1&utm_term=x`)).toMatchObject({
      sourceType: 'ad',
      keyword: '鞋',
      keywordFrom: 'referrer',
    });
  });
});

test('never throws for any input', () => {
  const address = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }).map((q) => `https://www.baidu.com/s?wd=${q}&ie=gb2312`),
    fc.string().map((q) => `https://shop.example/?utm_source=${q}%`),
  );
  fc.assert(
    fc.property(address, address, (url, referrer) => {
      const source = from(referrer, url);
      expect([...source.keyword].length).toBeLessThanOrEqual(100);
      expect(source.refUrl.length).toBeLessThanOrEqual(2000);
    }),
    { numRuns: 1000 },
  );
});
