import fc from 'fast-check';
import { newPassword, findPasswordError } from './passwords';

const owner = { loginName: 'chen.xiao', displayName: '陈晓的茶馆', email: 'teahouse@example.cn', siteNames: ['Harbour News'] };
const errorOf = (password: string, secondFactor = false) => findPasswordError(password, owner, { secondFactor });

describe('a new password', () => {
  test.each([
    ['correct horse battery staple', false],
    ['杯中茶凉，窗外雨歇，案上灯还亮着', false],
    ['x7#k92mQ', true],
    ['my teahouse by the old harbour', false],
  ])('%s is good (second factor: %s)', async (password, secondFactor) => {
    expect(await errorOf(password, secondFactor)).toBeNull();
  });

  test.each([
    ['x7#k92mQ', false, { code: 'too_short', min: 15 }],
    ['x7#k92m', true, { code: 'too_short', min: 8 }],
    ['茶', true, { code: 'too_short', min: 8 }],
    ['x'.repeat(129), false, { code: 'too_long', max: 128 }],
    ['I am Chen.Xiao himself', false, { code: 'contains_login' }],
    ['abababababababab', false, { code: 'weak_password' }],
    ['password1234567890', false, { code: 'weak_password' }],
    ['20190412', true, { code: 'weak_password' }],
    ['sunshine', true, { code: 'common_password' }],
    ['SunShine', true, { code: 'common_password' }],
    ['!!sunshine2024', true, { code: 'common_password' }],
    ['teahouse-2026', true, { code: 'weak_password' }],
    ['Harbour News 2026', false, { code: 'weak_password' }],
    ['sitewright-12345', false, { code: 'weak_password' }],
  ])('%s is refused (second factor: %s)', async (password, secondFactor, expected) => {
    expect(await errorOf(password, secondFactor)).toEqual(expected);
  });

  test('is judged by length alone where it is random', async () => {
    const letters = fc.array(fc.constantFrom(...'bcdfghjklmnpqrtvwxyz!?%&/()=+;:'.split('')), { minLength: 8, maxLength: 40 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(letters, fc.boolean(), async (password, secondFactor) => {
        fc.pre(new Set(password).size >= 8);
        expect(await errorOf(password, secondFactor)).toEqual(
          password.length < (secondFactor ? 8 : 15) ? { code: 'too_short', min: secondFactor ? 8 : 15 } : null,
        );
      }),
    );
  });

  test('is checked without an exception for any text', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 140 }), fc.boolean(), async (text, factor) => void (await errorOf(text, factor))));
  });

  test('records whether it is long enough without a second factor', async () => {
    const passwords = await Promise.all(['fourteen chars', 'fifteen letters', '十五个汉字才算是够长的密码呀呀呀'].map((each) => newPassword(each, 5)));
    expect(passwords.map((each) => each.passwordLong)).toEqual([false, true, true]);
    expect(passwords[0]?.passwordChangedAt).toEqual(new Date(5));
  });
});
