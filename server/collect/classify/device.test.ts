import fc from 'fast-check';
import { botSignals, deviceOf } from './index';
import { isCrawler } from './crawlers';

/** Real agents and what they are: type, system, its version, browser or app, its version. */
const agents: [type: string, os: string, osVersion: string, browser: string, browserVersion: string, agent: string][] = [
  ['mobile', 'Android', '13', 'WeChat', '8.0', 'Mozilla/5.0 (Linux; Android 13; V2183A Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MMWEBID/2142 MicroMessenger/8.0.47.2560(0x28002F35) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64'],
  ['mobile', 'iOS', '17.4', 'WeChat', '8.0', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.48(0x1800302b) NetType/4G Language/zh_CN'],
  ['desktop', 'Windows', '10', 'WeChat', '7.0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090a13) XWEB/8555 Flue'],
  ['desktop', 'macOS', '10.15', 'WeChat', '6.8', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/6.8.0(0x16080000) MacWechat/3.8.7(0x13080710) XWEB/1191 Flue'],
  ['mobile', 'Android', '12', 'WeCom', '4.1', 'Mozilla/5.0 (Linux; Android 12; M2102J2SC Build/SKQ1.211006.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/107.0.5304.141 Mobile Safari/537.36 XWEB/5061 MMWEBSDK/20230303 MMWEBID/5441 wxwork/4.1.3 MicroMessenger/7.0.1 NetType/WIFI Language/zh Lang/zh ColorScheme/Light'],
  ['mobile', 'iOS', '16.6', 'WeChat', '8.0', 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.42(0x18002a2c) NetType/WIFI Language/zh_CN miniProgram/wx123'],
  ['mobile', 'Android', '12', 'QQ', '8.9', 'Mozilla/5.0 (Linux; Android 12; Redmi K30 Build/SKQ1.210908.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/89.0.4389.72 MQQBrowser/6.2 TBS/046011 Mobile Safari/537.36 V1_AND_SQ_8.9.3_3056_YYB_D A_8090300 QQ/8.9.3.8730 NetType/WIFI WebP/0.3.0 Pixel/1080'],
  ['mobile', 'iOS', '15.5', 'QQ', '8.9', 'Mozilla/5.0 (iPhone; CPU iPhone OS 15_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 QQ/8.9.1.615 V1_IPH_SQ_8.9.1_1_APP_A Pixel/1170 MiniAppEnable SimpleUISwitch/0 StudyMode/0 CurrentMode/0 CurrentFontScale/1.000000 QQTheme/1000 Core/WKWebView Device/Apple(iPhone 13) NetType/WIFI'],
  ['mobile', 'Android', '11', 'QQ Browser', '12.9', 'Mozilla/5.0 (Linux; U; Android 11; zh-cn; PEGM00 Build/RP1A.200720.011) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/89.0.4389.72 MQQBrowser/12.9 Mobile Safari/537.36 COVC/046033'],
  ['desktop', 'Windows', '10', 'QQ Browser', '11.4', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.71 Safari/537.36 Core/1.94.188.400 QQBrowser/11.4.5226.400'],
  ['mobile', 'Android', '10', 'DingTalk', '6.5', 'Mozilla/5.0 (Linux; U; Android 10; zh-CN; MI 8 Build/QKQ1.190828.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.1.213 Mobile Safari/537.36 AliApp(DingTalk/6.5.20) com.alibaba.android.rimet/22345345 Channel/700159 language/zh-CN'],
  ['mobile', 'iOS', '15.2', 'DingTalk', '6.3', 'Mozilla/5.0 (iPhone; CPU iPhone OS 15_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/19C56 AliApp(DingTalk/6.3.25) com.laiwang.DingTalk/21612345 Channel/201200 language/zh-Hans-CN UT4Aplus/0.0.6 WK'],
  ['desktop', 'macOS', '10.15', 'Feishu', '6.8', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.5481.100 Safari/537.36 Lark/6.8.9 LarkLocale/zh_CN ChannelName/Feishu'],
  ['mobile', 'Android', '11', 'Toutiao', '8.8', 'Mozilla/5.0 (Linux; Android 11; KB2000 Build/RP1A.201005.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/75.0.3770.156 Mobile Safari/537.36 JsSdk/2 NewsArticle/8.8.6 NetType/wifi'],
  ['mobile', 'iOS', '14.6', 'Toutiao', '8.4', 'Mozilla/5.0 (iPhone; CPU iPhone OS 14_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 NewsArticle/8.4.1.20 JsSdk/2.0 NetType/WIFI (News 8.4.1 14.600000)'],
  ['mobile', 'Android', '12', 'Douyin', '23.4', 'Mozilla/5.0 (Linux; Android 12; LIO-AN00 Build/HUAWEILIO-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/92.0.4515.105 Mobile Safari/537.36 aweme_230400 JsSdk/1.0 NetType/WIFI  AppName/aweme app_version/23.4.0 ByteLocale/zh-CN Region/CN AppSkin/white AppTheme/light BytedanceWebview/d8a21c6'],
  ['mobile', 'iOS', '15.4', 'Alipay', '10.2', 'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Ariver/1.1.0 AliApp(AP/10.2.59.6000) Nebula WK RVKType(0) AlipayDefined(nt:WIFI,ws:390|780|3.0) AlipayClient/10.2.59.6000 Language/zh-Hans Region/CN NebulaX/1.0.0'],
  ['mobile', 'Android', '11', 'Alipay', '10.2', 'Mozilla/5.0 (Linux; U; Android 11; zh-CN; M2007J3SC Build/RKQ1.200826.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.2.43 Mobile Safari/537.36 UCBS/3.22.2.43_220223200704 ChannelId(0) NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:393|0|2.75) AliApp(AP/10.2.58.7000) AlipayClient/10.2.58.7000 Language/zh-Hans useStatusBar/true isConcaveScreen/true Region/CNAriver/1.0.0'],
  ['mobile', 'Android', '10', 'Taobao', '10.4', 'Mozilla/5.0 (Linux; U; Android 10; zh-CN; V1938CT Build/QP1A.190711.020) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.1.201 Mobile Safari/537.36 AliApp(TB/10.4.10) UCBS/2.11.1.1 TTID/600000@taobao_android_10.4.10 WindVane/8.5.0 1080X2256'],
  ['mobile', 'Android', '10', 'Baidu App', '12.22', 'Mozilla/5.0 (Linux; Android 10; VOG-AL00 Build/HUAWEIVOG-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/76.0.3809.89 Mobile Safari/537.36 T7/12.22 SP-engine/2.26.0 baiduboxapp/12.22.5.10 (Baidu; P1 10) NABar/1.0'],
  ['mobile', 'iOS', '15.0', 'Baidu App', '13.2', 'Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/19A346 SP-engine/2.38.0 main%2F1.0 baiduboxapp/13.2.5.10 (Baidu; P2 15.0) NABar/1.0 themeUA=Theme/default'],
  ['desktop', 'Windows', '7', 'Baidu Browser', '8.7', 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/47.0.2526.106 BIDUBrowser/8.7 Safari/537.36'],
  ['mobile', 'Android', '11', 'UC Browser', '15.5', 'Mozilla/5.0 (Linux; U; Android 11; zh-CN; M2012K11AC Build/RKQ1.200826.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/15.5.2.1216 Mobile Safari/537.36'],
  ['mobile', 'Android', '12', 'Quark', '6.2', 'Mozilla/5.0 (Linux; U; Android 12; zh-CN; 2201123C Build/SKQ1.211006.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 Quark/6.2.5.246 Mobile Safari/537.36'],
  ['mobile', 'iOS', '16.1', 'Quark', '6.1', 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X; zh-cn) AppleWebKit/601.1.46 (KHTML, like Gecko) Mobile/20B82 Quark/6.1.0.1500 Mobile'],
  ['desktop', 'Windows', '10', '360 Browser', '', 'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/86.0.4240.198 Safari/537.36 QIHU 360SE'],
  ['desktop', 'Windows', '10', '360 Browser', '', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/95.0.4638.69 Safari/537.36 QIHU 360EE'],
  ['mobile', 'Android', '9', '360 Browser', '5.5', 'Mozilla/5.0 (Linux; Android 9; vivo X21A Build/PKQ1.180819.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/71.0.3578.99 Mobile Safari/537.36 QHBrowser/5.5.0 QihooBrowser/5.5.0'],
  ['mobile', 'Android', '10', 'Sogou Browser', '5.28', 'Mozilla/5.0 (Linux; Android 10; ELE-AL00 Build/HUAWEIELE-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.62 Mobile Safari/537.36 SogouMSE,SogouMobileBrowser/5.28.13'],
  ['mobile', 'Android', '10', 'Sogou Search', '', 'Mozilla/5.0 (Linux; Android 10; MI 9 Build/QKQ1.190825.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/76.0.3809.89 Mobile Safari/537.36 SogouSearch Android1.0 version3.0 AppVersion/7905'],
  ['desktop', 'Windows', '10', 'Sogou Browser', '', 'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.87 Safari/537.36 SE 2.X MetaSr 1.0'],
  ['mobile', 'Android', '12', 'MIUI Browser', '17.3', 'Mozilla/5.0 (Linux; U; Android 12; zh-cn; 2201122C Build/SKQ1.211006.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/17.3.50922'],
  ['mobile', 'HarmonyOS', '', 'Huawei Browser', '12.0', 'Mozilla/5.0 (Linux; Android 10; HarmonyOS; NOH-AN00; HMSCore 6.4.0.312) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/92.0.4515.105 HuaweiBrowser/12.0.4.310 Mobile Safari/537.36'],
  ['mobile', 'HarmonyOS', '5.0', 'Huawei Browser', '5.0', 'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300'],
  ['mobile', 'HarmonyOS', '5.0', 'WeChat', '8.0', 'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile MicroMessenger/8.0.50 NetType/WIFI Language/zh_CN'],
  ['tablet', 'HarmonyOS', '5.0', 'Chrome', '114.0', 'Mozilla/5.0 (Tablet; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1'],
  ['mobile', 'Android', '11', 'Vivo Browser', '12.0', 'Mozilla/5.0 (Linux; Android 11; V2055A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/12.0.11.0'],
  ['mobile', 'Android', '12', 'OPPO Browser', '40.8', 'Mozilla/5.0 (Linux; U; Android 12; zh-cn; PGEM10 Build/SKQ1.211019.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/90.0.4430.61 Mobile Safari/537.36 HeyTapBrowser/40.8.3.9'],
  ['mobile', 'iOS', '15.4', 'Weibo', '12.5', 'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Weibo (iPhone14,5__weibo__12.5.1__iphone__os15.4)'],
  ['mobile', 'Android', '11', 'Zhihu', '', 'Mozilla/5.0 (Linux; Android 11; Mi 10 Build/RKQ1.200826.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0.4280.101 Mobile Safari/537.36 ZhihuHybrid com.zhihu.android/Futureve/8.30.0'],
  ['mobile', 'iOS', '16.2', 'Xiaohongshu', '7.72', 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 xhs/7.72 discover/7.72.0 XHSBaseUA NetType/WiFi'],
  ['mobile', 'iOS', '16.2', 'Bilibili', '', 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile BiliApp/71200100 os/ios model/iPhone 12 mobi_app/iphone build/71200100'],
  ['mobile', 'Android', '10', 'Kuaishou', '10.5', 'Mozilla/5.0 (Linux; Android 10; VCE-AL00 Build/HUAWEIVCE-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/90.0.4430.226 KsWebView/1.8.90.452 (rel;r) Mobile Safari/537.36 Yoda/2.8.6 Kwai/10.5.20.25373 OS_PRO_BIT/64'],
  ['desktop', 'Windows', '7', 'Liebao Browser', '', 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/57.0.2987.98 Safari/537.36 LBBROWSER'],
  ['desktop', 'Windows', '7', 'Maxthon', '5.3', 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Maxthon/5.3.8.2000 Chrome/61.0.3163.79 Safari/537.36'],
  ['desktop', 'Windows', '10', '2345 Browser', '10.26', 'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.100 Safari/537.36 2345Explorer/10.26.0.21212'],
  ['desktop', 'Windows', '10', 'Chrome', '126.0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'],
  ['desktop', 'Windows', '10', 'Edge', '126.0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68'],
  ['desktop', 'Linux', '', 'Firefox', '127.0', 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'],
  ['desktop', 'macOS', '10.15', 'Safari', '17.5', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'],
  ['mobile', 'iOS', '17.5', 'Safari', '17.5', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'],
  ['tablet', 'iOS', '16.6', 'Safari', '16.6', 'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1'],
  ['mobile', 'Android', '14', 'Samsung Internet', '25.0', 'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36'],
  ['mobile', 'Android', '10', 'Chrome', '126.0', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'],
  ['tablet', 'Android', '13', 'Chrome', '115.0', 'Mozilla/5.0 (Linux; Android 13; SM-X906C Build/TP1A.220624.014) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/115.0.0.0 Safari/537.36'],
  ['desktop', 'Windows', '10', 'Opera', '110.0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0'],
  ['desktop', 'Windows', '10', 'Yandex', '24.4', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 YaBrowser/24.4.0.0 Safari/537.36'],
  ['mobile', 'iOS', '17.5', 'Chrome', '126.0', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1'],
  ['mobile', 'iOS', '17.4', 'Facebook', '', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]'],
  ['desktop', 'Windows', '7', 'Internet Explorer', '11.0', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  ['tv', 'Tizen', '6.0', 'Safari', '', 'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.0 TV Safari/537.36'],
  ['desktop', 'ChromeOS', '14541.0', 'Chrome', '126.0', 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'],
  ['bot', '', '', '', '', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['bot', '', '', '', '', 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)'],
  ['bot', 'Android', '5.0', 'Safari', '', 'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)'],
  ['bot', '', '', '', '', 'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)'],
  ['bot', 'Windows', '10', 'Chrome', '50.0', 'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/50.0.2661.102 Safari/537.36; 360Spider'],
  ['bot', 'Windows', '10', 'Chrome', '69.0', 'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.81 YisouSpider/5.0 Safari/537.36'],
  ['bot', '', '', '', '537.36', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'],
  ['bot', 'Linux', '', 'Chrome', '126.0', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36'],
  ['bot', '', '', '', '', 'curl/8.5.0'],
  ['bot', '', '', '', '', 'python-requests/2.31.0'],
];
const browserHeaders = { 'accept-language': 'zh-CN,zh;q=0.9' };

describe('deviceOf', () => {
  test.each(agents)('%s, %s %s, %s %s', (deviceType, os, osVersion, browser, browserVersion, agent) => {
    expect(deviceOf(agent)).toEqual({ deviceType, os, osVersion, browser, browserVersion });
  });

  test('says nothing about an absent agent', () => {
    expect(deviceOf('  ')).toEqual({ deviceType: 'unknown', os: '', osVersion: '', browser: '', browserVersion: '' });
  });

  test('never throws and gives bounded strings', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.stringMatching(/^Mozilla\/5\.0 \([^)]{0,60}\) \S{0,200}$/)), (agent) => {
        const device = deviceOf(agent);
        expect(Object.values(device).every((value) => typeof value === 'string' && value.length <= 500)).toBe(true);
      }),
    );
  });
});

describe('botSignals', () => {
  test.each(agents)('%s, %s %s, %s %s: people are people and programs are programs', (deviceType, _os, _osVersion, _browser, _browserVersion, userAgent) => {
    const { score } = botSignals({ userAgent, ip: '202.96.128.86', headers: browserHeaders, webdriver: false });
    expect(score >= 90).toBe(deviceType === 'bot');
    if (deviceType !== 'bot') expect(score).toBeLessThan(50);
  });

  test.each([
    ['Toutiao', 'NewsArticle/8.8.6'],
    ['Sogou', 'SogouMSE,SogouMobileBrowser/5.28.13'],
    ['Alipay', 'AlipayDefined(nt:WIFI,ws:390|780|3.0)'],
    ['Taobao', 'TTID/600000@taobao_android_10.4.10'],
  ])('the words of %s do not hide a real crawler', (_name, words) => {
    expect(isCrawler(`Mozilla/5.0 ${words}`)).toBe(false);
    expect(isCrawler(`Mozilla/5.0 ${words} (compatible; Bytespider)`)).toBe(true);
  });

  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  const person = { userAgent: chrome, ip: '202.96.128.86', headers: browserHeaders, webdriver: false };
  test('names every reason, and a driven browser is a program', () => {
    expect(botSignals(person)).toEqual({ score: 0, reasons: [] });
    expect(botSignals({ ...person, webdriver: true })).toEqual({ score: 90, reasons: ['webdriver'] });
    expect(botSignals({ ...person, headers: {} })).toEqual({ score: 50, reasons: ['no_language'] });
    expect(botSignals({ ...person, userAgent: '' })).toEqual({ score: 90, reasons: ['no_agent'] });
    expect(botSignals({ ...person, userAgent: 'Mozilla/5.0 (Foo; Bar) Baz/1.0' })).toEqual({ score: 50, reasons: ['unknown_agent'] });
  });
  test('a cloud address alone is not enough to be suspected', () => {
    const cloud = botSignals({ ...person, ip: '223.5.5.5' });
    expect(cloud.reasons).toEqual(['datacentre']);
    expect(cloud.score).toBeLessThan(50);
    expect(botSignals({ ...person, ip: '223.5.5.5', headers: {} }).score).toBe(80);
  });
  test('never throws, and the score is a per cent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.boolean(), (userAgent, ip, webdriver) => {
        const { score } = botSignals({ userAgent, ip, headers: {}, webdriver });
        expect(score >= 0 && score <= 100).toBe(true);
      }),
    );
  });
});
