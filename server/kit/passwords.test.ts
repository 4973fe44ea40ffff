import { hashPassword, verifyPassword } from './passwords';

test('a password matches only its own hash', async () => {
  const stored = await hashPassword('Ein Paßwort 密码 ');
  const fits = (password: string) => verifyPassword(stored, password);
  expect([await fits('Ein Paßwort 密码 '), await fits('Ein Paßwort 密码'), await fits('ein paßwort 密码 ')]).toEqual([true, false, false]);
  expect(await verifyPassword(null, '')).toBe(false);
});
