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

/** A person's picture or initials. Decorative: the name is beside it or on its button. */
export const PersonMark = ({ name, picture, size = 28 }: { name: string; picture: string | null; size?: number }) => {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className="person-mark" aria-hidden="true" style={{ width: size, height: size, fontSize: Math.round(size * (size < 28 ? 0.5 : 0.38)) }}>
      {picture !== null && picture !== broken ? (
        <img src={picture} alt="" width={size} height={size} decoding="async" onError={() => setBroken(picture)} />
      ) : (
        initialsOf(name, size < 28 ? 1 : 2)
      )}
    </span>
  );
};
