import { renderHook } from '@testing-library/react';
import { ensureMessages, i18n, startI18n } from '@/i18n';
import { encodeFieldError } from './fieldError';
import { useFieldErrorMessage } from './useFieldErrorMessage';

test.each([
  ['en', 2, 'At most 2 decimals'],
  ['en', 1, 'At most 1 decimal'],
  ['en', 0, 'Whole numbers only'],
  ['zh-CN', 2, '最多 2 位小数'],
  ['zh-CN', 0, '不能有小数'],
] as const)('in %s a number with over %i decimals shows the limit', async (locale, max, message) => {
  await startI18n(locale);
  await i18n.changeLanguage(locale);
  await ensureMessages(['form']);
  const { result } = renderHook(() => useFieldErrorMessage());
  expect(result.current(encodeFieldError({ code: 'too_many_decimals', max }))).toBe(message);
});
