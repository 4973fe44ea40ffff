import { completeProof, readMetaElement, serviceOfFile, verificationRules } from './verification';

test('a file name belongs to one service only', () => {
  const names = {
    'google0123456789abcdef.html': 'google',
    'BingSiteAuth.xml': 'bing',
    'baidu_verify_codeva-AbC123.html': 'baidu',
    'yandex_0123456789abcdef.html': 'yandex',
    '0123456789abcdef0123456789abcdef.txt': 'so360',
    'sogousiteverification.txt': 'sogou',
    'shenma-site-verification.txt': 'shenma',
    'ByteDanceVerify.html': 'toutiao',
    'naver0123456789abcdef0123456789abcdef.html': 'naver',
    'pinterest-ab12c.html': 'pinterest',
    'MP_verify_AbCdEfGhIjKlMnOp.txt': 'wechat',
  };
  for (const [name, service] of Object.entries(names)) {
    expect(serviceOfFile(name)).toBe(service);
    expect(Object.values(verificationRules).filter(({ file }) => file?.test(name))).toHaveLength(1);
  }
});

test.each([
  'index.html',
  'robots.txt',
  'google.html',
  '../google0123456789abcdef.html',
  'google0123456789abcdef.html/x',
  'bingsiteauth.xml',
  'a\nBingSiteAuth.xml',
])('the file name %j is refused', (name) => {
  expect(serviceOfFile(name)).toBeNull();
  expect(completeProof({ service: 'bing', method: 'file', name, content: 'x' })).toEqual({ field: 'name', code: 'pattern' });
});

test('a pasted meta element is understood in every order and quoting', () => {
  const expected = { service: 'google', name: 'google-site-verification', content: 'AbC_1-2=' };
  expect(readMetaElement('<meta name="google-site-verification" content="AbC_1-2=" />')).toEqual(expected);
  expect(readMetaElement("paste: <META content='AbC_1-2=' name='google-site-verification'>")).toEqual(expected);
  expect(readMetaElement('<meta name=google-site-verification content=AbC_1-2=>')).toEqual(expected);
  expect(readMetaElement('<meta name="viewport" content="width=1">')?.service).toBeNull();
  expect(readMetaElement('AbC_1-2=')).toBeNull();
});

test('the content of a meta element cannot leave its attribute', () => {
  const meta = (content: string) => completeProof({ service: 'baidu', method: 'meta', name: '', content });
  expect(meta('codeva-AbC')).toEqual({ service: 'baidu', method: 'meta', name: 'baidu-site-verification', content: 'codeva-AbC' });
  expect(meta('<meta name="baidu-site-verification" content="codeva-AbC" />')).toMatchObject({ content: 'codeva-AbC' });
  for (const content of ['a"b', "a'b", 'a<b', 'a b', '<meta name="google-site-verification" content="x">'])
    expect(meta(content)).toEqual({ field: 'content', code: 'pattern' });
  expect(meta(' ')).toEqual({ field: 'content', code: 'required' });
  expect(meta('a'.repeat(201))).toEqual({ field: 'content', code: 'too_long' });
});

test('contents that a service derives from the name are not entered', () => {
  const name = 'google0123456789abcdef.html';
  expect(completeProof({ service: 'google', method: 'file', name: `/${name}`, content: '<script>' })).toEqual({
    service: 'google',
    method: 'file',
    name,
    content: `google-site-verification: ${name}`,
  });
});

test('files are limited in size and characters', () => {
  const file = (content: string) => completeProof({ service: 'bing', method: 'file', name: 'BingSiteAuth.xml', content });
  expect(file('<users/>')).toMatchObject({ content: '<users/>' });
  expect(file('')).toEqual({ field: 'content', code: 'required' });
  expect(file('a'.repeat(4001))).toEqual({ field: 'content', code: 'too_long' });
  expect(file('a\u0000b')).toEqual({ field: 'content', code: 'forbidden_characters' });
});

test('a service without meta elements refuses one', () => {
  expect(completeProof({ service: 'wechat', method: 'meta', name: '', content: 'abc' })).toEqual({ field: 'name', code: 'unknown' });
});
