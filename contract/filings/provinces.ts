/**
 * Provinces of the Chinese mainland, where websites are filed: code of GB/T 2260, characters with which ICP and public security numbers begin, and ISO 3166-2:CN. Several characters: all of them occur.
 */
export type FilingProvince = { readonly code: string; readonly iso: string; readonly icp: string; readonly mps: string };

const table = `
11 BJ 京 京|12 TJ 津 津|13 HE 冀 冀|14 SX 晋 晋|15 NM 蒙 蒙|21 LN 辽 辽|22 JL 吉 吉|23 HL 黑 黑|31 SH 沪 沪|32 JS 苏 苏|33 ZJ 浙 浙|34 AH 皖 皖|35 FJ 闽 闽|36 JX 赣 赣|37 SD 鲁 鲁|41 HA 豫 豫
42 HB 鄂 鄂|43 HN 湘 湘|44 GD 粤 粤|45 GX 桂 桂|46 HI 琼 琼|50 CQ 渝 渝|51 SC 蜀 川|52 GZ 黔 贵|53 YN 滇 滇云|54 XZ 藏 藏|61 SN 陕 陕|62 GS 陇甘 甘陇|63 QH 青 青|64 NX 宁 宁|65 XJ 新 新`;

export const filingProvinces: readonly FilingProvince[] = table
  .trim()
  .split(/[\n|]/)
  .map((row) => {
    const [code = '', iso = '', icp = '', mps = ''] = row.split(' ');
    return { code, iso, icp, mps };
  });

/** All characters with which a number may begin. */
export const provinceCharacters = [...new Set(filingProvinces.flatMap(({ icp, mps }) => [...icp, ...mps]))].join('');

/** ISO code of the province of a number's first character; null if no province has it. */
export const provinceOfCharacter = (character: string): string | null =>
  filingProvinces.find(({ icp, mps }) => `${icp}${mps}`.includes(character))?.iso ?? null;

/** ISO code of the province with which the 14 digits of a public security number begin; null if there is none. */
export const provinceOfDigits = (digits: string): string | null => filingProvinces.find(({ code }) => digits.startsWith(code))?.iso ?? null;
