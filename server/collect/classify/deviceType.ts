import type { deviceTypes } from '../../../contract/analytics';
import { androidModelType } from './models';

export type DeviceType = (typeof deviceTypes)[number];

/** Words by which a television, a set-top box, a projector or a game console names itself, whatever its system is. */
const television =
  /\b(?:HbbTV|SMART-?TV|SmartTV|Smart TV|GoogleTV|Google TV|AndroidTV|Android TV|AppleTV|Apple TV|CrKey|BRAVIA|Web0S|webOS\.TV|NetCast|NETTV|Viera|VIDAA|DTV|CE-HTML|POV_TV|InettvBrowser|OPR TV|OMI\/|Espial|ANTGalio|Kylo|WebTV|Maple\d*|AquosTV|Aquos Browser|TV Safari|Large Screen|Philips ?TV|DuneHD|Roku|tvOS|Freebox|WhaleTV|TiVo|Set-?top|MiTV\w*|MIBOX\w*|MiBOX\w*|PlayStation|PLAYSTATION|Nintendo|Xbox|Ouya|Wii)\b|\bTizen\b.*\bTV\b|[;( _-]TV[;)_ ]|(?:^|[^a-z])STB(?![a-z])|TV ?BOX/i;

/** Makers of televisions and of boxes under them, and what the boxes of many makers are called. */
const televisionMakers =
  /^(?:LGE;|VIZIO|GRUNDIG|FINLUX|TELEFUNKEN|VESTEL|HARPER|HITACHI TV|SENNA|SABA|VONTAR|TANIX|MECOOL|BEELINK|MINIX|NEO[-_ ][UXZ]|VORKE|PENDOO|UGOOS|EVPAD|Amlogic|ZIDOO|NVIDIA[ _]SHIELD(?!.*Tablet)|SHIELD Android|SKYSTREAM|Nebula|MXQ|MX[A-Z]?[ -]?4K|MXIII|H96|X88|X92|X96|T95|T96|TX\d(?!\d)|A95X|HK1|KM\d{1,2}(?!\d)|KI{1,3}[ -](?:PLUS|PRO)|M8S|TOX\d|Z28|RK3\d{3}|S905|Mi ?TV|MIBOX|Nokia Streaming|CHROMECAST|BRAVIA|Xiaomi TV|YNDX|YandexModule|DEXP [A-Z]?\d{2}|SWTV|IPTV|OTT|VMP-|TPM\d|Q[MV]1\d|AFT[A-Z0-9]+)/i;
/** `TV`, `BOX` and their like in a model's name, `wired` behind a maker, or how a panel is written: its inches, then letters (`32HK30G`, `U43EY1500B`). */
const televisionModel =
  /TV(?![a-z])|(?:^|[^a-z])tv(?![a-z])|(?<!tur)box|(?<!\d[a-z])stb|dvb|iptv|u-?hd|\b4k\b|4k(?:[-_ ]|$)|[qo]led|(?:^|[-_ E])LED[-_ ]?\d|smart4k|\bcast|projector|stick$|,|(?:^|[-_ ,]|^[A-Z]{1,5})(?:19|2[0248]|32|39|4[023689]|5[0158]|6[05]|7[057]|8[0256]|98|100)[A-Z]{1,6}[-_ ]?\d{2}|(?:^|[-_ ,])(?:24|28|32|39|4[03]|5[058]|65|75|8[56])[A-Z]{2,6}/i;

/** Models whose name says tablet, reader of books or frame, or ten inches. */
const tabletModel =
  /tab|pad(?!fone)|_(?:EEA|ROW)$|slate|book|reader|boox|inkpalm|epaper|(?:^|[^a-z])(?:mid|kids?|gtablet)(?![a-z])|(?<!Nokia |[\d.])(?:7|8|9|10|11|12)\.\d(?![\d.])|^(?!XT|ATL|Lenovo|RM-|S-)(?:.*[^\d])?10\d\d(?!\d)|(?:^|[-_ ])(?:7|8|10|101|12|13)(?:"|[-_ ]?inch)|^(?:SM-[TX]|GT-P[1-9]|GT-N[58]|TB-?[XJ]?\d|iPlay|A\d{4}-[HFG]V?$|YT-?[\dXJ]|KF[A-Z]{2,5}$|TM[-_ ]?\d|TPC|CT\d|NT-|IFT|RCT|NXA|QC\d|PM[TP]\d|WTB|TR\d|TD-|BTV-|VOYO|Archos (?:7|8|9|10)\d|Lexibook|Kurio|Vankyo|Teclast|ALLDOCUBE|CHUWI|Onda|Readboy|Pixus)/i;

const androidParts = /\bAndroid(?: OS)?[ -/]?[\d.]*[^;)]*;?([^)]*)/i;
const notModel = /^(?:U|wv|[a-z]{2,3}(?:[-_][a-z]{2,4})?|arm(?:_64)?|x86(?:_64)?|HarmonyOS|HMSCore.*|Mobile|Tablet|rv:.*|K|)$/i;

/** The model's name in an Android agent, '' where it has none (Chrome writes `K` since 2023). */
function androidModel(agent: string): string {
  for (const part of (androidParts.exec(agent)?.[1] ?? '').split(';')) {
    const model = part.replace(/(?:^|\s+)Build\/.*$|\/[A-Z0-9.]+$/, '').trim();
    if (!notModel.test(model)) return model;
  }
  return '';
}

const byTable: Readonly<Record<string, DeviceType>> = {
  mobile: 'mobile',
  pda: 'mobile',
  media: 'mobile',
  tablet: 'tablet',
  ereader: 'tablet',
  television: 'tv',
  gaming: 'tv',
  monitor: 'tv',
  projector: 'tv',
  signage: 'tv',
  desktop: 'desktop',
};

/** What sort of device an Android agent belongs to: its model in a table, then what names usually mean, then how browsers word it. */
function androidType(agent: string, model: string, parsed: DeviceType | undefined): DeviceType {
  if (model !== '') {
    const type = byTable[androidModelType(model)];
    if (type) return type;
    if (televisionMakers.test(model) || televisionModel.test(model)) return 'tv';
    if (tabletModel.test(model)) return 'tablet';
  }
  if (parsed === 'tablet' || parsed === 'tv') return parsed;
  if (/\/apad\b|\bTablet\b/i.test(agent)) return 'tablet';
  // Browsers of phones say Mobile, those of tablets leave it out; what is no browser says neither.
  return /Mobile|\bDalvik\b/.test(agent) || !/AppleWebKit|Gecko\//.test(agent) ? 'mobile' : 'tablet';
}

/** HarmonyOS 5 and later say what they run on before anything else: `(Phone; OpenHarmony 5.0)`. */
const openHarmony: Readonly<Record<string, DeviceType>> = { pc: 'desktop', '2in1': 'desktop', tablet: 'tablet', tv: 'tv', phone: 'mobile' };

/** Systems that stand on a desk unless their agent says something else. */
const desk = /\b(?:X11|Wayland|Windows NT|Macintosh|CrOS)\b/;
const pocket =
  /\b(?:Windows (?:Phone|CE|Mobile)|IEMobile|Symbian|SymbOS|Series ?[346]0|MIDP|BlackBerry|BB10|KAIOS|Opera Mini|Opera Mobi|UP\.Browser|DoCoMo|J-PHONE|SoftBank|iPhone|iPod|webOS\/|Maemo|Bada|Sailfish|MeeGo)\b/i;
const slate = /\b(?:iPad|PlayBook|Kindle|Tablet(?! PC)|Kobo|Nook|hp-tablet)\b/i;

/**
 * What sort of device an agent belongs to.
 *
 * @param parsed what the parser says by its own patterns
 * @param model the model's name where a client hint tells it; browsers have left it out of the agent since 2023
 */
export function deviceTypeOf(agent: string, parsed: DeviceType | undefined, model?: string): DeviceType {
  const harmony = /\((\w+); OpenHarmony\b/.exec(agent)?.[1]?.toLowerCase();
  if (harmony !== undefined && openHarmony[harmony]) return openHarmony[harmony];
  if (television.test(agent)) return 'tv';
  if (/\bAndroid\b/.test(agent) && !/Windows Phone|\bCrOS\b/.test(agent)) return androidType(agent, model ?? androidModel(agent), parsed);
  if (slate.test(agent)) return 'tablet';
  if (parsed === 'tv' || parsed === 'tablet') return parsed;
  if (pocket.test(agent)) return 'mobile';
  if (desk.test(agent)) return 'desktop';
  return parsed ?? 'unknown';
}
