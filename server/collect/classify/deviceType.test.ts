import type { DeviceType } from './deviceType';
import { deviceOf } from './device';
import { isCrawler } from './crawlers';

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
/** Chrome on Android; phones include Mobile, and so do many set-top boxes. */
const chrome = (model: string, mobile = ''): string => `Mozilla/5.0 (Linux; Android 9; ${model}) ${engine} Chrome/96.0.4664.45 ${mobile}Safari/537.36`;
const onPhone = (model: string): string => chrome(model, 'Mobile ');
const webView = (model: string, build: string): string =>
  `Mozilla/5.0 (Linux; Android 11; ${model} Build/${build}; wv) ${engine} Version/4.0 Chrome/113.0.5672.163 Mobile Safari/537.36`;
const dalvik = (model: string, build: string): string => `Dalvik/2.1.0 (Linux; U; Android 10; ${model} Build/${build})`;
const ucBrowser = (model: string): string => `UCWEB/2.0 (MIDP-2.0; U; Adr 8.1.0; en-US; ${model}) U2/1.0.0 UCBrowser/10.7.5.785 U2/1.0.0 Mobile`;

/** The device type of each agent, by the rule that determines it. */
const facts: Readonly<Record<string, readonly (readonly [DeviceType, string])[]>> = {
  'a release of Android TV': [
    ['tv', webView('LEAP-S1', 'QTT5.200819.003')],
    ['tv', webView('Telenor Mediahubb', 'RTT4.230210.001')],
    ['tv', webView('GO700FR', 'STTC.220803.001')],
    ['tv', dalvik('WZONE', 'QTT8.201201.002')],
    ['mobile', webView('moto g82 5G', 'S1SUS32.73-112-2-7')],
    ['mobile', webView('RMX3371', 'RKQ1.211119.001')],
  ],
  'a release that boxes have': [
    ['tv', dalvik('VUVAMINI', 'NHG47L')],
    ['tv', dalvik('Matador', 'QP1A.191105.004')],
    ['tv', webView('Gazal_100', 'RD2A.211001.002')],
    ['tv', webView('DV8235', 'PI')],
    ['tv', webView('F30UP', 'PI')],
    ['mobile', dalvik('Pixel 4', 'RD2A.211001.002')],
    ['mobile', dalvik('Pixel', 'NHG47L')],
    ['mobile', webView('V2202', 'SP1A.210812.003')],
  ],
  'the name of a box': [
    ['tv', chrome('Ugoos-AM3')],
    ['tv', chrome('GTKing PRO')],
    ['tv', chrome('Rombica Infinity K8')],
    ['tv', chrome('Smart Box D1')],
    ['tv', onPhone('Formuler Z10 Pro MAX')],
    ['tv', dalvik('i96 Pro', 'QP1A.191005.007')],
    ['tv', onPhone('TVB-100')],
    ['tv', onPhone('SberBox')],
    ['tv', chrome('CVTE_MSD338_1G')],
    ['tv', onPhone('8K3528-T')],
    ['mobile', onPhone('Letv X500')],
    ['mobile', onPhone('MZ-MX4')],
    ['mobile', onPhone('Hisense U60')],
  ],
  'a panel, its inches and then letters': [
    ['tv', webView('Polar_P24L51T2CSM', 'NRD90M')],
    ['tv', webView('TD55UFBHV1', 'RP1A.200720.011')],
    ['tv', webView('VHIX-65U169TSY', 'PPR2.180905.006.A1')],
    ['tv', onPhone('MLT43FSX02')],
    ['tv', webView('haierATVnippori', 'PPR1.180610.011')],
    ['mobile', onPhone('BV9600E')],
    ['mobile', onPhone('ASUS_AI2202')],
  ],
  'how a maker numbers tablets': [
    ['tablet', onPhone('ROD-W09')],
    ['tablet', onPhone('AGS3-L09')],
    ['tablet', onPhone('23043RP34G')],
    ['tablet', onPhone('RMP2105')],
    ['tablet', onPhone('9032X_TR')],
    ['tablet', onPhone('P80H(D1C2)')],
    ['tablet', onPhone('CUBE-T970')],
    ['tablet', onPhone('MT0739D')],
    ['tablet', onPhone('769TPC')],
    ['tablet', ucBrowser('ELEMENT7V2')],
    ['mobile', onPhone('EVA-L09')],
    ['mobile', onPhone('22101316UP')],
    ['mobile', onPhone('ZTE V1050')],
    ['mobile', ucBrowser('Redmi_Note_5')],
  ],
  'the screen in a car': [
    ['tablet', `Mozilla/5.0 (X11; GNU/Linux) ${engine} Chrome/75.0.3770.100 Safari/537.36 Tesla/2019.40.50.7-ad132c7b057e`],
    ['tablet', `Mozilla/5.0 (X11; Linux x86_64) ${engine} Chrome/98.0.4758.102 Safari/537.36 Tesla/develop-2022.12.3.2-5-2d5530dd8f`],
    ['tablet', dalvik('Polestar', 'QA1A.210116.001')],
    ['tablet', webView('DiLink5.0 For BYD AUTO', 'SKQ1.230128.001')],
  ],
  'no browser at all, or one of long ago': [
    ['tv', 'HbbTV/1.4.1 (+DRM;Panasonic;SmartTV2019mid;0.753;4a01-0003 0040-0000;SmartTV2019;)'],
    ['tv', 'Opera/9.80 (Linux i686; U; HbbTV/1.1.1 (; Philips; ; ; ; ) CE-HTML/1.0 NETTV/4.0.1; en) Presto/2.10.250 Version/11.60'],
    ['tv', 'RokuOS/9.4.0.4200, Ignition X/11.8.2021022414, Roku'],
    ['tv', 'VIZIO V585-H1 ViziOS/1.4.512.847.1 WatchFree/24.06.13.2 FancyPlayer/1.1.30-qa'],
    ['tv', 'TiviMate/4.7.0 (Nitro Pro; Android 12)'],
    ['mobile', 'Karbonn K222s WAP-Browser/1.0.0'],
    ['mobile', 'Fly_DS123/Q03C_MAUI_Browser/MIDP2.0 Configuration/CLDC-1.1'],
    ['mobile', 'SonyEricssonU10/R1x Browser/NetFront/3.5 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.5'],
    [
      'tablet',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 9_3_5 like Mac OS X) AppleWebKit/601.1.46 (KHTML, like Gecko) Mobile/13G36 Instagram 75.0.0.23.99 (iPad2,5; iPhone OS 9_3_5)',
    ],
    ['desktop', 'QuickTime/7.6.6 (qtver=7.6.6;cpu=IA32;os=Mac 10.6.8)'],
    ['desktop', 'Microsoft Office Word/16.43.1108 (Mac OS/11.0.1; Desktop; es-MX; NonAppStore; Apple/MacBookPro16,2)'],
    ['desktop', 'Mozilla/5.0 (compatible; Konqueror/4.3; Linux) KHTML/4.3.4 (like Gecko)'],
  ],
};

describe.each(Object.entries(facts))('%s gives the device type', (_rule, rows) => {
  test.each(rows)('%s: %s', (type, agent) => {
    expect(deviceOf(agent).deviceType).toBe(type);
  });
});

test('the Chinese word for Android in UC Browser is understood', () => {
  expect(deviceOf(ucBrowser('Redmi_Note_5'))).toMatchObject({ os: 'Android', osVersion: '8.1', browser: 'UC Browser' });
});

test('a crawler that imitates a phone or television is still a crawler', () => {
  expect(
    isCrawler(
      'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Browser/6.2.3.3 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)',
    ),
  ).toBe(true);
  expect(isCrawler('HbbTV/1.4.1 (;Maker;Model;1.0;;) ExampleCrawler/1.0')).toBe(true);
  expect(isCrawler('HbbTV/1.4.1 (;Maker;Model;1.0;;)')).toBe(false);
});
