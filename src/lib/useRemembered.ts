import { useState } from 'react';

/** A choice of this person in this browser (`console:<key>`), such as cards or table. An unknown stored value reads as the default. */
export function useRemembered<const T extends string>(key: string, allowed: readonly T[], otherwise: NoInfer<T>): readonly [T, (value: T) => void] {
  const name = `console:${key}`;
  const [value, setValue] = useState<T>(() => {
    try {
      const found = localStorage.getItem(name);
      return allowed.find((one) => one === found) ?? otherwise;
    } catch {
      return otherwise;
    }
  });
  const put = (next: T) => {
    setValue(next);
    try {
      localStorage.setItem(name, next);
    } catch {
      // The choice lasts until the page is left.
    }
  };
  return [value, put];
}
