import { useState } from 'react';

const han = /^[\p{Script=Han}·\s]+$/u;

/**
 * Initials of a person without a picture. Chinese names are distinguished by their end (王小明 → 小明) if there is space for two characters; other names
 * use the first letters of the first and the last word.
 */
export function initialsOf(name: string, most: 1 | 2): string {
  const clean = name.trim();
  if (clean === '') return '·';
  if (han.test(clean)) return [...clean.replaceAll(/[·\s]/gu, '')].slice(-most).join('');
  const parts = clean.split(/[\s._-]+/u).filter((word) => word !== '');
  const first = [...(parts[0] ?? clean)][0] ?? '';
  const last = most === 2 && parts.length > 1 ? ([...(parts.at(-1) ?? '')][0] ?? '') : '';
  return `${first}${last}`.toUpperCase();
}

/** From this size in px there is room for two initials. */
const roomy = 32;

/**
 * The picture or initials of a person (round), or the first character of a site's name (`square`). Decorative: the name is beside it or on its button.
 * `size` in px.
 */
export const Avatar = ({ name, picture = null, square = false, size = 24 }: { name: string; picture?: string | null; square?: boolean; size?: number }) => {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className="avatar" aria-hidden="true" data-square={square || undefined} data-large={size > 40 || undefined} style={{ width: size, height: size }}>
      {picture !== null && picture !== broken ? (
        <img src={picture} alt="" width={size} height={size} decoding="async" onError={() => setBroken(picture)} />
      ) : square ? (
        [...name][0]?.toUpperCase()
      ) : (
        initialsOf(name, size < roomy ? 1 : 2)
      )}
    </span>
  );
};
