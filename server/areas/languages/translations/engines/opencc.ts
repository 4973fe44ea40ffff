import { piecesOf } from '../protected';
import type { Engine } from './engine';

/** The variant of Chinese characters that OpenCC knows for a tag; null: not Chinese. */
function variantOf(tag: string): 'cn' | 'tw' | 'twp' | 'hk' | null {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  if (language !== 'zh') return null;
  if (script === 'Hans') return 'cn';
  if (region === 'HK' || region === 'MO') return 'hk';
  // Only who names Taiwan gets its vocabulary; `zh-Hant` alone is read everywhere.
  return tag.endsWith('-TW') ? 'twp' : 'tw';
}

/** Converts between simplified and traditional Chinese within the program. Its dictionaries load with the first text. */
export const opencc: Engine = {
  kind: 'opencc',
  most: { texts: 500, characters: 200_000 },
  supports(from, to) {
    const [source, target] = [variantOf(from), variantOf(to)];
    return source !== null && target !== null && (source === 'cn') !== (target === 'cn');
  },
  async translate({ from, to, format, texts }) {
    const { Converter } = await import('opencc-js');
    const convert = Converter({ from: variantOf(from) ?? 'cn', to: variantOf(to) ?? 'tw' });
    return texts.map((text) =>
      piecesOf(text, format)
        .map((piece, at) => (at % 2 === 0 ? convert(piece) : piece))
        .join(''),
    );
  },
};
