import { safeRedirect } from './redirect';

const origin = 'https://console.example';
const safe = (value: unknown) => safeRedirect(value, origin);

/** Where the browser would end up; what matters is that it is always our own origin. */
const landing = (address: string) => new URL(address, origin).origin;

const refused: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['/home']],
  ['an object', { toString: () => '/x' }],
  ['empty', ''],
  ['a relative path', 'home'],
  ['a dot path', './home'],
  ['two slashes', '//evil.example'],
  ['three slashes', '///evil.example'],
  ['four slashes', '////evil.example/x'],
  ['slash backslash', '/\\evil.example'],
  ['backslash slash', '\\/evil.example'],
  ['two backslashes', '\\\\evil.example'],
  ['a backslash later', '/a\\b'],
  ['an encoded backslash', '/%5Cevil.example'],
  ['an encoded backslash, lower', '/%5cevil.example'],
  ['an encoded slash first', '/%2Fevil.example'],
  ['encoded slashes', '/%2f%2fevil.example'],
  ['http', 'http://evil.example'],
  ['https', 'https://evil.example/home'],
  ['no slashes after the scheme', 'https:evil.example'],
  ['one slash after the scheme', 'https:/evil.example'],
  ['our origin without a slash', 'https://console.example'],
  ['our origin as a prefix', 'https://console.example.evil.example/'],
  ['our origin as a user', 'https://console.example@evil.example/'],
  ['our origin with a password', 'https://console.example:x@evil.example/'],
  ['credentials at our origin', 'https://u:p@console.example/home'],
  ['another port', 'https://console.example:8443/home'],
  ['another scheme', 'http://console.example/home'],
  ['upper-case scheme to elsewhere', 'HTTPS://EVIL.example/'],
  ['javascript', 'javascript:alert(1)'],
  ['javascript with a comment', 'javascript://console.example/%0aalert(1)'],
  ['JavaScript in mixed case', 'jAvAsCrIpT:alert(1)'],
  ['data', 'data:text/html,<script>1</script>'],
  ['vbscript', 'vbscript:x'],
  ['blob', 'blob:https://console.example/1'],
  ['file', 'file:///etc/passwd'],
  ['a tab inside', '/\t/evil.example'],
  ['a newline inside', '/\n/evil.example'],
  ['a return inside', '/\r\n/evil.example'],
  ['NUL', '/\u0000/evil.example'],
  ['delete', '/\u007f'],
  ['a leading space', ' //evil.example'],
  ['a leading tab', '\t//evil.example'],
  ['dot segments that leave two slashes', '/api/v2/../../..//evil.example'],
  ['dot segments', '/..//evil.example'],
  ['a single dot', '/.//evil.example'],
  ['encoded dots', '/%2e%2e//evil.example'],
  ['encoded dot', '/%2e//evil.example'],
  ['mixed dots', '/.%2e//evil.example'],
  ['deep dot segments', '/home/../..//evil.example/x'],
  ['the same at our origin', 'https://console.example//evil.example'],
  ['dots at our origin', 'https://console.example/..//evil.example'],
  ['the sign page', '/sign'],
  ['the sign page with a slash', '/sign/'],
  ['the sign page with a redirect', '/sign/?redirect=//evil.example'],
  ['set-up', '/sign/setup'],
  ['the sign page in capitals', '/SIGN/'],
  ['encoded sign', '/%73ign/'],
  ['sign by dots', '/home/../sign/'],
  ['the API', '/api/acc/token/sign-out'],
  ['the API bare', '/api'],
  ['the API in capitals', '/API/x'],
  ['encoded API', '/%61pi/x'],
  ['the API by dots', '/x/../api/core'],
  ['the API at our origin', 'https://console.example/api/core'],
  ['broken percent', '/%zz'],
  ['broken UTF-8', '/%ff'],
  ['encoded newline', '/%0a/evil.example'],
  ['encoded NUL', '/%00'],
  ['too long', `/${'a'.repeat(2048)}`],
];

const kept: [string, string, string][] = [
  ['home', '/home', '/home'],
  ['root', '/', '/'],
  ['a report', '/site/abcdefghijkl/als/trend?from=2026-11-01&filter=a%7Cb#rows', '/site/abcdefghijkl/als/trend?from=2026-11-01&filter=a%7Cb#rows'],
  ['two slashes later', '/home//x', '/home//x'],
  ['an address inside the query', '/home?next=https://evil.example', '/home?next=https://evil.example'],
  ['a fragment with slashes', '/home#//evil.example', '/home#//evil.example'],
  ['Han', '/home?q=茶', '/home?q=%E8%8C%B6'],
  ['an absolute address of our own', 'https://console.example/account/center/account_center?a=1#b', '/account/center/account_center?a=1#b'],
  ['dots that stay inside', '/site/x/../y', '/site/y'],
  ['a word that begins like sign', '/signal', '/signal'],
  ['a word that begins like api', '/apiary', '/apiary'],
  ['an at sign', '/@evil.example', '/@evil.example'],
  ['a colon', '/a:b', '/a:b'],
];

test.each(refused)('refuses %s', (_name, value) => expect(safe(value)).toBe('/home'));
test.each(kept)('keeps %s', (_name, value, address) => {
  expect(safe(value)).toBe(address);
  // What was checked is what is used: a second pass changes nothing.
  expect(safe(safe(value))).toBe(address);
});
test('always lands on our own origin', () => {
  for (const [, value] of [...refused, ...kept]) expect(landing(safe(value))).toBe(origin);
  expect(refused.length + kept.length).toBeGreaterThanOrEqual(65);
});
