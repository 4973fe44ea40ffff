/** Patterns of model names, for models that no table lists. */

/** Manufacturers of televisions and set-top boxes, and generic names of boxes. */
const televisionMakers =
  /^(?:LGE;|VIZIO|GRUNDIG|FINLUX|TELEFUNKEN|VESTEL|HARPER|HITACHI TV|SENNA|SABA|VONTAR|TANIX|MECOOL|BEELINK|GT-?King|MINIX|NEO[-_ ](?:[UXZ]|G\d)|VORKE|PENDOO|UGOOS|EVPAD|Amlogic|Droidlogic|ZIDOO|Dolamee|DIVISAT|Formuler|Dynalink|Homatics|Magicsee|Khadas|WeTek|Zappiti|Egreat|Himedia|Sunvell|Transpeed|Rombica|Coocaa|KONKA|Changhong|iFFALCON|KIVI|XGIMI|JMGO|Dangbei|CVTE|LEAP-S|NVIDIA[ _]SHIELD(?!.*Tablet)|SHIELD Android|Nexus Player|ADT-[1-4]|SKYSTREAM|Nebula|MXQ|MX1\d|MX[A-Z]?[ -]?4K|MXIII|[HTi]96|T95|W95|X88|X9[26]|X98[-_ ]?(?:mini|max|Q|H|K|S)|V88|TX\d(?!\d)|A95X|HK1|R69|H[2-5]0(?!\d)|KM\d{1,2}(?!\d)|KI{1,3}[ -](?:PLUS|PRO)|M8S|TOX\d|Z28|RK3\d{3}|S905|MK[89]\d\d|CX-?9\d\d|Mi ?TV|MIBOX|onn\. |Nokia Streaming|CHROMECAST|BRAVIA|Xiaomi TV|YNDX|YandexModule|AEO[A-Z]{2}|DEXP [A-Z]?\d{2}|SWTV|IPTV|OTT|VMP-|TPM\d|Q[MV]1\d|U[IT][EW]\d{3}|B[IKF][PDOX]-|SMT-E|(?:ZTE )?B86\d|EC610\d|HG680|AFT[A-Z0-9]+)/i;
/** Boards made for televisions and set-top boxes. */
const televisionBoard = /rtd\d{3}|MSD\d{3}|MStar|Hi3[57]\d\d|MT5[358]\d\d|MT96\d\d|S9[01]\d[XDW]|RK35[26]8|8K\d{4}|PNL_/i;
/** `TV` in a model name, except in words and phone names that contain these letters. */
const televisionLetters = /(?<![Ll][Ee])TV(?![a-z])|ATV|(?:^|[^A-Za-z])tv(?![a-z])/;
/** `BOX` and similar parts of a model name, or the name of a panel: its inches, then letters (`32HK30G`, `U43EY1500B`). */
const televisionModel =
  /[a-z]tv(?![a-z])|(?<!tur)box|(?<!\d[a-z])stb|dvb|iptv|u-?hd|\b[48]k\b|4k(?:[-_ ]|$)|[qo]led|(?:^|[-_ E])LED[-_ ]?\d|smart4k|\bcast|projector|stick(?:$| )|,|(?:^|[-_ ,]|(?:^|[-_ ])[A-Z]{1,5})(?:19|2[0248]|32|39|4[023689]|5[0158]|6[05]|7[057]|8[0256]|98|100)(?:[A-Z]{1,6}[-_ ]?\d{2}|[A-Z]{4,6}\d)|(?:^|[-_ ,])(?:24|28|32|39|4[03]|5[058]|65|75|8[56])[A-Z]{2,6}/i;

/** Whether a model name resembles those of televisions, set-top boxes and projectors. */
export const namesTelevision = (model: string): boolean =>
  televisionMakers.test(model) || televisionBoard.test(model) || televisionLetters.test(model) || televisionModel.test(model);

/** Words for tablets, e-readers and photo frames, and sizes of seven inches and more. */
const tabletWords =
  /tab|pad(?!fone)|_(?:EEA|ROW)$|slate|book|reader|boox|inkpalm|epaper|(?:^|[^a-z])(?:mid|kids?|gtablet)(?![a-z])|(?<!Nokia |[\d.])(?:7|8|9|10|11|12)\.\d(?![\d.])|(?:^|[-_ ])(?:7|8|10|101|12|13)(?:"|[-_ ]?inch)|[^\d.](?:7|8|97|10)[-_ ]?V\d/i;
/** Ten inches as written by many manufacturers (`ADT1012L`), except in phone names numbered in the same way. */
const tenInches = /^(?!XT|ATL|Lenovo|RM|S-|ZTE|CPH|vivo|V10|OPPO|R1|ONE|A10|TM)(?:.*[^\d])?10(?!00)\d\d(?!\d)/i;
/** Tablet model numbers of manufacturers; Huawei's have `W` where its phones have `L`, Xiaomi's `RP`, TCL's begin with 9, Teclast's have a code in brackets. */
const tabletModel =
  /^(?:SM-[TX]|GT-P[1-9]|GT-N[58]|TB-?[XJ]?\d|iPlay|A\d{4}-[HFG]V?$|YT-?[\dXJ]|KF[A-Z]{2,5}$|TM[-_ ]?[789]\d|\d*TPC|CT\d|NT-|IFT|RCT|NXA|QC\d|PM[TP]\d|WTB|TR\d|TD-|BTV-|VOYO|CUBE[-_ ]|Archos (?:7|8|9|10)\d|ARNOVA|AN(?:7|8|9|10)[A-Z]|ARCHM\d|Lexibook|Kurio|Vankyo|Teclast|ALLDOCUBE|CHUWI|Onda|Readboy|Pixus|RMP\d|9(?!00[01])[0-4]\d\d[A-Z](?:$|_)|OPD\d|DPD\d|[A-Z]{2,3}0[789]\d\d[A-Z]|[A-Z]{3}\d?-W\d\d|[A-Z]{3}\d-A?L\d\d|2\d{3,4}[A-Z\d]{0,2}RP[A-Z\d]{2})|\([A-Z]\d[A-Z]\d\)?$/i;

/** The screen in a car counts as a built-in tablet. */
const carModel = /^(?:Polestar|Volvo|Porsche|benz|bmw|MPC-\d|AIVI|DiLink)|headunit|BYD AUTO|car(?:play|pad)|(?:OCTA|OCTOPUS|QUAD)[-_ ]?CORE[-_ ][RTA]\d|8227L/i;

export const namesTablet = (model: string): boolean => tabletWords.test(model) || tenInches.test(model) || tabletModel.test(model) || carModel.test(model);
