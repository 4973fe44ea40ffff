import type { deviceTypes } from '../../../contract/analytics/schemas';
import { namesTablet, namesTelevision } from './modelNames';
import { androidModelType } from './models';

export type DeviceType = (typeof deviceTypes)[number];

/** Names by which a television, a set-top box, a projector or a game console identifies itself on any system. */
const television =
  /\b(?:HbbTV|SMART-?TV|SmartTV|Smart TV|GoogleTV|Google TV|AndroidTV|Android TV|AppleTV|Apple TV|CrKey|BRAVIA|Web0S|webOS\.TV|NetCast|NETTV|Viera|VIDAA|DTV|CE-HTML|POV_TV|InettvBrowser|OPR TV|OMI\/|Espial|ANTGalio|Kylo|WebTV|TiviMate|TV Bro|SmartTvA|NETRANGEMMH|tclwebkit[\d.]*|Vewd|Gibbon|Maple\d*|AquosTV|Aquos Browser|TV Safari|Large Screen|Philips ?TV|DuneHD|Roku(?:OS)?|tvOS|Freebox|WhaleTV|TiVo|ViziOS|Set-?top|MiTV\w*|MIBOX\w*|MiBOX\w*|PlayStation|PLAYSTATION|Nintendo|Xbox|Ouya|Wii)\b|\bTizen\b.*\bTV\b|[;( _-]TV(?:[;)_ ]|$)|(?:^|[^a-z])STB(?![a-z])|TV ?BOX/i;

const androidParts = /\b(?:Android(?: OS)?|Adr)[ -/]?[\d.]*[^;)]*;?([^)]*)/i;
const notModel = /^(?:U|wv|[a-z]{2,3}(?:[-_][a-z]{2,4})?|arm(?:_64)?|x86(?:_64)?|HarmonyOS|HMSCore.*|Mobile|Tablet|rv:.*|K|)$/i;

/** The model name in an Android agent, '' if there is none (Chrome writes `K` since 2023). */
function androidModel(agent: string): string {
  for (const part of (androidParts.exec(agent)?.[1] ?? '').split(';')) {
    const model = part.replace(/(?:^|\s+)Build\/.*$|\/[A-Z0-9.]+$/, '').trim();
    if (!notModel.test(model)) return model;
  }
  return '';
}

/** Android TV's own releases (`Build/PTT1.190521.001`); those of phones have another second letter. */
const televisionRelease = /\bBuild\/[O-Z]T[A-Z]\w?\.\d{6}\.\d{3}/;
/**
 * Releases of Android that box manufacturers use on Amlogic and Allwinner boards, otherwise only found on Google's own phones; and the two letters to which
 * Amlogic shortens a release (`Build/PI`).
 */
const boxRelease = /\bBuild\/(?:NHG47L|QP1A\.191105\.004|RD2A\.211001\.002|[PQRS][IT])(?=[;) ]|$)/;

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

/** The device type of an Android agent: by its model in a table, then by typical model names, then by the form of the agent. */
function androidType(agent: string, model: string, parsed: DeviceType | undefined): DeviceType {
  if (televisionRelease.test(agent)) return 'tv';
  if (model !== '') {
    const type = byTable[androidModelType(model)];
    if (type) return type;
    if (namesTelevision(model)) return 'tv';
    if (namesTablet(model)) return 'tablet';
    if (boxRelease.test(agent) && !/^Pixel\b/.test(model)) return 'tv';
  }
  if (parsed === 'tablet' || parsed === 'tv') return parsed;
  if (/\/apad\b|\bTablet\b/i.test(agent)) return 'tablet';
  // Browsers of phones contain Mobile, those of tablets omit it; other programs contain neither.
  return /Mobile|\bDalvik\b|MIDP/.test(agent) || !/AppleWebKit|Gecko\//.test(agent) ? 'mobile' : 'tablet';
}

/** HarmonyOS 5 and later name the device first: `(Phone; OpenHarmony 5.0)`. */
const openHarmony: Readonly<Record<string, DeviceType>> = { pc: 'desktop', '2in1': 'desktop', tablet: 'tablet', tv: 'tv', phone: 'mobile' };

/** Desktop systems, unless the agent says otherwise. */
const desk =
  /\b(?:X11|Wayland|Windows|Win9[58x]|Macintosh|CrOS|Konqueror|OS\/2|SunOS|Haiku|BeOS|AmigaOS|MorphOS|IRIX|Inferno|(?<!like )Mac OS|Desktop;)|\bos=(?:Mac|Win)/;
const pocket =
  /\b(?:Windows (?:Phone|CE|Mobile)|IEMobile|Symbian|SymbOS|Series ?[346]0|MIDP|BlackBerry|BB10|KAIOS|Opera Mini|Opera Mobi|UP\.Browser|WAP[-_ ]?Browser\w*|WAP[12]\.\d|MAUI[-_ ]\w+|MAUI|Teleca\w*|NetFront|Obigo|CLDC[-\d.]*|BREW|KTOUCH|DoCoMo|J-PHONE|SoftBank|iPhone|iPod|webOS\/|Maemo|Bada|Sailfish|MeeGo)\b/i;
/** Embedded Linux without a desktop: a television that does not identify itself. */
const embedded = /\(Linux (?:arm|mips|sh4)/;
const slate = /\b(?:iPad[\d,]*|PlayBook|Kindle|Tablet(?! PC)|Kobo|Nook|hp-tablet)(?![a-z])|\bTesla\/|\bQtCarBrowser\b/i;

/**
 * The device type of an agent.
 *
 * @param parsed the type by the parser's own patterns
 * @param model the model name from a client hint; browsers have omitted it from the agent since 2023
 */
export function deviceTypeOf(agent: string, parsed: DeviceType | undefined, model?: string): DeviceType {
  const harmony = /\((\w+); OpenHarmony\b/.exec(agent)?.[1]?.toLowerCase();
  if (harmony !== undefined && openHarmony[harmony]) return openHarmony[harmony];
  if (television.test(agent)) return 'tv';
  if (/\bAndroid\b|\bAdr \d/.test(agent) && !/Windows Phone|\bCrOS\b/.test(agent)) return androidType(agent, model ?? androidModel(agent), parsed);
  if (slate.test(agent)) return 'tablet';
  if (parsed === 'tv' || parsed === 'tablet') return parsed;
  if (pocket.test(agent)) return 'mobile';
  if (desk.test(agent)) return 'desktop';
  if (embedded.test(agent)) return 'tv';
  return parsed ?? 'unknown';
}
