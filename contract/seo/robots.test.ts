import { parseRobots, robotsBytes, robotsLines, robotsVerdict } from './robots';

/** A file (lines separated by `|`), an agent, and addresses: after `+` those that it may request, after `-` those that it may not. */
type Row = readonly [file: string, agent: string, addresses: string];

const file = (text: string): string => text.replaceAll(/ ?\| ?/g, '\n');
const everybody = (rules: string): string => `User-agent: * | ${rules}`;

/** Examples of RFC 9309, 5. */
const rfc =
  'User-Agent: * | Disallow: *.gif$ | Disallow: /example/ | Allow: /publications/ | | User-Agent: foobot | Disallow:/ | Allow:/example/page.html | Allow:/example/allowed.gif | | User-Agent: barbot | User-Agent: bazbot | Disallow: /example/page.html | | User-Agent: quxbot';
const longest = 'User-Agent: foobot | Allow: /example/page/ | Disallow: /example/page/disallowed.gif';

const examples: readonly Row[] = [
  [rfc, 'otherbot', '+ / /publications/ /publications/a /page.html /a.gif?x /example /gif - /a.gif /x/y.gif /example/ /example/page.html /example/allowed.gif'],
  [rfc, 'foobot', '+ /example/page.html /example/allowed.gif /example/page.html?a=1 - / /publications/ /example/ /example/page /other.gif'],
  [rfc, 'barbot', '+ / /example/ /a.gif /example/page - /example/page.html /example/page.html?a'],
  [rfc, 'bazbot', '+ / /example/ /a.gif - /example/page.html'],
  [rfc, 'quxbot', '+ / /example/ /a.gif /example/page.html'],
  [longest, 'foobot', '+ /example/page/ /example/page/allowed.gif /example/ / - /example/page/disallowed.gif /example/page/disallowed.gif2'],
  [longest, 'barbot', '+ /example/page/disallowed.gif /'],
];

const agents: readonly Row[] = [
  ['User-agent: FooBot | Disallow: /', 'foobot', '+ /robots.txt - / /a'],
  ['user-agent: foobot | disallow: /', 'FOOBOT', '- / /a'],
  ['USER-AGENT: FOOBOT | DISALLOW: /', 'FooBot', '- / /a'],
  ['uSeR-aGeNt: fOObOt | dIsAlLoW: /', 'FooBot/2.1', '- / /a'],
  ['User-agent: FooBot/2.1 | Disallow: /', 'FooBot', '- /'],
  ['User-agent: FooBot | Disallow: /', 'FooBot-News', '+ / /a'],
  ['User-agent: FooBot-News | Disallow: /', 'FooBot', '+ / /a'],
  ['User-agent: Foo | Disallow: /', 'FooBot', '+ /'],
  ['User-agent: FooBot | Disallow: /', 'Foo', '+ /'],
  ['User-agent: foo bar | Disallow: /', 'foo', '- /'],
  ['User-agent: FOO BAR | Allow: /x/ | Disallow: /', 'foo', '+ /x/y - / /a/b'],
  ['User-agent: 360Spider | Disallow: /a', '360Spider', '+ / - /a'],
  ['User-agent: MJ12bot | Disallow: /', 'MJ12bot/v1.4.8', '- /'],
  ['User-agent: MJ12bot | Disallow: /', 'MJ', '+ /'],
  ['User-agent: a_b-c | Disallow: /', 'a_b-c', '- /'],
  ['User-agent: Baiduspider | Disallow: /a | | User-agent: * | Disallow: /b', 'Baiduspider', '+ /b - /a'],
  ['User-agent: * | Disallow: /b | | User-agent: Baiduspider | Disallow: /a', 'Baiduspider', '+ /b - /a'],
  ['User-agent: * | Disallow: /b | | User-agent: Baiduspider | Disallow: /a', 'Sogou', '+ /a - /b'],
  ['User-agent: * | Disallow: / | | User-agent: FooBot | Disallow:', 'FooBot', '+ / /a'],
  ['User-agent: * | Disallow: / | | User-agent: FooBot', 'FooBot', '+ / /a'],
  ['User-agent: FooBot | Disallow: /', 'BarBot', '+ / /a'],
  ['User-agent: * | Disallow: /', '', '- /a'],
  ['User-agent: * foo | Disallow: /', 'FooBot', '- /a'],
  ['User-agent: *foo | Disallow: /', 'FooBot', '+ /a'],
  ['User-agent: | Disallow: /', 'FooBot', '+ /a'],
  ['User-agent: FooBot | User-agent: * | Disallow: /a', 'FooBot', '+ /b - /a'],
  ['User-agent: FooBot | User-agent: * | Disallow: /a', 'BarBot', '+ /b - /a'],
];

const groups: readonly Row[] = [
  ['User-agent: a | Disallow: /x | | User-agent: a | Disallow: /y', 'a', '+ /z - /x /y'],
  ['User-agent: a | Disallow: /x | User-agent: b | Disallow: /y | User-agent: a | Disallow: /z', 'a', '+ /y - /x /z'],
  ['User-agent: a | Disallow: /x | User-agent: b | Disallow: /y | User-agent: a | Disallow: /z', 'b', '+ /x /z - /y'],
  ['User-agent: a | | User-agent: b | Disallow: /x', 'a', '+ /y - /x'],
  ['User-agent: a | | User-agent: b | Disallow: /x', 'b', '+ /y - /x'],
  ['User-agent: a | # nothing | User-agent: b | Disallow: /x', 'a', '- /x'],
  ['User-agent: a | Sitemap: https://a.example/s.xml | User-agent: b | Disallow: /x', 'a', '- /x'],
  ['User-agent: a | Crawl-delay: 5 | User-agent: b | Disallow: /x', 'a', '- /x'],
  ['User-agent: a | Unknown: 1 | Disallow: /x', 'a', '- /x'],
  ['User-agent: a | Disallow: /x | | | Disallow: /y', 'a', '- /x /y'],
  ['User-agent: a | Disallow: /x | Sitemap: https://a.example/s.xml | Disallow: /y', 'a', '- /x /y'],
  ['User-agent: a | Disallow: | User-agent: b | Disallow: /x', 'a', '+ /x'],
  ['User-agent: a | Allow: | User-agent: b | Disallow: /x', 'a', '+ /x'],
  ['Disallow: /x | User-agent: a | Disallow: /y', 'a', '+ /x - /y'],
  ['Disallow: /', 'a', '+ / /x'],
  ['Allow: /x | Disallow: / | User-agent: b | Disallow: /', 'a', '+ /'],
  ['', 'a', '+ / /x'],
  ['# only a comment', 'a', '+ / /x'],
  ['<html><body>404</body></html>', 'a', '+ / /x'],
  ['foo: FooBot | bar: /', 'FooBot', '+ / /x'],
  ['User-agent: * | Disallow: /a | User-agent: * | Disallow: /b', 'x', '+ /c - /a /b'],
  ['User-agent: a | User-agent: a | Disallow: /x', 'a', '- /x'],
];

const syntax: readonly Row[] = [
  ['User-agent:a | Disallow:/x', 'a', '+ / - /x'],
  ['  User-agent :  a   |   Disallow  :   /x   ', 'a', '+ / - /x /xy'],
  ['\tUser-agent\t:\ta\t|\tDisallow\t:\t/x\t', 'a', '+ / - /x'],
  ['User-agent: a # name | Disallow: /x # path', 'a', '+ / - /x /x/y'],
  ['User-agent: a#b | Disallow: /x#y', 'a', '+ / - /x /x/y'],
  ['#User-agent: a | #Disallow: /x', 'a', '+ /x'],
  ['User-agent a | Disallow /x', 'a', '+ / - /x'],
  ['User-agent a b | Disallow /x', 'a', '+ /x'],
  ['User-agent: a | Disallow /x y', 'a', '+ /x'],
  ['Useragent: a | Dissallow: /x', 'a', '+ / - /x'],
  ['User agent: a | Disalow: /x', 'a', '- /x'],
  ['User-agent: a | Dissalow: /x | Diasllow: /y | Disallaw: /z', 'a', '- /x /y /z'],
  ['User-agent: a | Disallow: x', 'a', '+ /x /'],
  ['User-agent: a | Disallow: https://a.example/x', 'a', '+ /x'],
  ['User-agent: a | Disallow: /x: y', 'a', '+ /x - /x:%20y'],
  ['User-agent: a | Disallow', 'a', '+ /'],
  ['User-agent: a | : /x | Disallow: /y', 'a', '+ /x - /y'],
  ['\uFEFFUser-agent: a | Disallow: /x', 'a', '- /x'],
  ['User-agent: a\r\nDisallow: /x\r\n', 'a', '+ / - /x'],
  ['User-agent: a\rDisallow: /x\r', 'a', '+ / - /x'],
  ['User-agent: a\n\rDisallow: /x', 'a', '- /x'],
  ['User-agent: a\r\n\r\n\r\nDisallow: /x', 'a', '- /x'],
  ['User-agent: a | Noindex: /x', 'a', '+ /x'],
];

const prefixes: readonly Row[] = [
  [everybody('Disallow: /'), 'a', '+ /robots.txt - / /a /a/b /?x /index.html'],
  [
    everybody('Disallow: /fish'),
    'a',
    '+ /Fish.asp /catfish /?id=fish /desert/fish / - /fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.php?id=anything',
  ],
  [everybody('Disallow: /fish*'), 'a', '+ /Fish.asp /catfish /?id=fish - /fish /fish.html /fish/salmon.html /fishheads /fish.php?id=anything'],
  [everybody('Disallow: /fish/'), 'a', '+ /fish /fish.html /animals/fish/ /Fish/Salmon.asp - /fish/ /fish/?id=anything /fish/salmon.htm'],
  [everybody('Disallow: /a?b'), 'a', '+ /a /a?c /a/?b - /a?b /a?bc /a?b=c'],
  [everybody('Disallow: /a;b'), 'a', '+ /a - /a;b /a;b=1'],
  [everybody('Disallow: /a&b'), 'a', '+ /a - /a&b'],
  [everybody('Disallow: /a=b'), 'a', '+ /a - /a=b /a=bc'],
  [everybody('Disallow: /a+b'), 'a', '+ /a%20b /ab - /a+b'],
  [everybody('Disallow: //'), 'a', '+ / /a// - // //a'],
  [everybody('Disallow: /a/./b'), 'a', '+ /a/b - /a/./b'],
  [everybody('Disallow: /A'), 'a', '+ /a - /A /AB'],
  [everybody('Disallow: /robots.txt'), 'a', '+ /robots.txt /robots - /robots.txt2 /robots.txt?a'],
];

const wildcards: readonly Row[] = [
  [
    everybody('Disallow: /*.php'),
    'a',
    '+ / /windows.PHP /php - /index.php /filename.php /folder/filename.php /folder/filename.php?parameters /folder/any.php.file.html /filename.php/',
  ],
  [
    everybody('Disallow: /*.php$'),
    'a',
    '+ /filename.php?parameters /filename.php/ /filename.php5 /windows.PHP - /filename.php /folder/filename.php /a.php/b.php',
  ],
  [everybody('Disallow: /fish*.php'), 'a', '+ /Fish.PHP /fish /fish.html - /fish.php /fishheads/catfish.php?parameters'],
  [everybody('Disallow: /a*b'), 'a', '+ /a /acd /ba - /ab /axb /a/x/b /axbx'],
  [everybody('Disallow: /a*b$'), 'a', '+ /a /abc /axbx - /ab /axb /abcb'],
  [everybody('Disallow: /a*b*c'), 'a', '+ /ab /acb /abd - /abc /axbxc /abbc /abcx'],
  [everybody('Disallow: /a**b'), 'a', '+ /a - /ab /axb'],
  [everybody('Disallow: *'), 'a', '+ /robots.txt - / /a'],
  [everybody('Disallow: *.pdf'), 'a', '+ /a - /a.pdf /b/c.pdf?x'],
  [everybody('Disallow: *a'), 'a', '+ /b - /a /ba'],
  [everybody('Disallow: /*'), 'a', '- / /a'],
  [everybody('Disallow: /*?'), 'a', '+ / /a - /? /a?b /a/b?c=d'],
  [everybody('Disallow: /*?*sid='), 'a', '+ /a?b /sid= - /a?sid=1 /a?b=1&sid=2'],
  [everybody('Disallow: /$'), 'a', '+ /a /?x - /'],
  [everybody('Disallow: $'), 'a', '+ / /a'],
  [everybody('Disallow: *$'), 'a', '- / /a'],
  [everybody('Disallow: /a$'), 'a', '+ / /ab /a/ /a?b - /a'],
  [everybody('Disallow: /a$b'), 'a', '+ /a /ab - /a$b /a$bc /a%24b'],
  [everybody('Disallow: /a$$'), 'a', '+ /a /a$b - /a$'],
  [everybody('Disallow: /a%24'), 'a', '+ /a - /a$ /a$b /a%24'],
  [everybody('Disallow: /a%2A'), 'a', '+ /a /ab - /a* /a*b /a%2a'],
  [everybody('Disallow: /a%2Ab$'), 'a', '+ /axb /a*bc - /a*b'],
  [everybody('Disallow: /*/private/'), 'a', '+ /private/ /a/private - /a/private/ /a/b/private/c'],
  [everybody('Disallow: /aa*aa$'), 'a', '+ /aa /aaa - /aaaa /aabaa'],
  [everybody('Disallow: /*a*a*a*a*a*a*a*a*b'), 'a', `+ /${'a'.repeat(2000)} - /${'a'.repeat(2000)}b`],
];

const precedence: readonly Row[] = [
  [everybody('Allow: /p | Disallow: /'), 'a', '+ /p /page - / /a'],
  [everybody('Disallow: / | Allow: /p'), 'a', '+ /p /page - / /a'],
  [everybody('Allow: /folder | Disallow: /folder'), 'a', '+ /folder /folder/page'],
  [everybody('Disallow: /folder | Allow: /folder'), 'a', '+ /folder /folder/page'],
  [everybody('Allow: /page | Disallow: /*.htm'), 'a', '+ /page - /page.htm /a.htm'],
  [everybody('Allow: /page | Disallow: /*.ph'), 'a', '+ /page.php5 - /a.php'],
  [everybody('Allow: /$ | Disallow: /'), 'a', '+ / - /page.htm /?a'],
  [everybody('Disallow: /a | Allow: /a/b | Disallow: /a/b/c | Allow: /a/b/c/d'), 'a', '+ /a/b /a/b/x /a/b/c/d /a/b/c/d/e - /a /a/x /a/b/c /a/b/c/x'],
  [everybody('Disallow: /x/page.html | Allow: /x/'), 'a', '+ /x/ /x/page.htm - /x/page.html'],
  [everybody('Disallow: /x/page.html | Allow: /x/*'), 'a', '+ /x/a - /x/page.html'],
  [everybody('Disallow: | Allow: /'), 'a', '+ / /a'],
  [everybody('Disallow: / | Disallow:'), 'a', '- / /a'],
  [everybody('Disallow: /ab | Allow: /*b'), 'a', '+ /ab /abc /xb'],
  [everybody('Disallow: /abc | Allow: /*c'), 'a', '+ /xc - /abc'],
];

const encodings: readonly Row[] = [
  [everybody('Disallow: /foo/bar/ツ'), 'a', '+ /foo/bar/ - /foo/bar/ツ /foo/bar/%E3%83%84 /foo/bar/%e3%83%84 /foo/bar/ツx'],
  [everybody('Disallow: /foo/bar/%E3%83%84'), 'a', '+ /foo/bar/ - /foo/bar/ツ /foo/bar/%e3%83%84'],
  [everybody('Disallow: /foo/bar/%62%61%7A'), 'a', '+ /foo/bar/ba - /foo/bar/baz /foo/bar/%62%61%7A /foo/bar/b%61z'],
  [everybody('Disallow: /foo/bar/baz'), 'a', '- /foo/bar/%62%61%7a'],
  [everybody('Disallow: /茶*叶$'), 'a', '+ /茶 /茶叶x - /茶叶 /茶a叶 /%E8%8C%B6%E5%8F%B6'],
  [everybody('Disallow: /🍵'), 'a', '+ /🍶 - /🍵 /%F0%9F%8D%B5'],
  [everybody('Disallow: /café'), 'a', '+ /cafe - /café /caf%C3%A9'],
  [everybody('Disallow: /a%2Fb'), 'a', '+ /a/b - /a%2Fb /a%2fb'],
  [everybody('Disallow: /a/b'), 'a', '+ /a%2Fb - /a/b'],
  [everybody('Disallow: /a%3Fb'), 'a', '+ /a?b - /a%3Fb'],
  [everybody('Disallow: /a%20b'), 'a', '+ /a+b - /a%20b'],
  [everybody('Disallow: /a b'), 'a', '+ /a - /a%20b'],
  [everybody('Disallow: /%7Euser'), 'a', '- /~user /%7euser /%7Euser'],
  [everybody('Disallow: /~user'), 'a', '- /~user /%7Euser'],
  [everybody('Disallow: /a%'), 'a', '+ /a /ab - /a% /a%zz /a%25'],
  [everybody('Disallow: /?q=https://x.example'), 'a', '+ /?q=http - /?q=https://x.example /?q=https://x.example/a'],
];

const addresses: readonly Row[] = [
  [
    everybody('Disallow: /a'),
    'a',
    '+ https://x.example https://x.example/ https://x.example/b https://x.example?a http://x.example:81/b - https://x.example/a HTTPS://X.example/a?b http://x.example:81/a',
  ],
  [everybody('Disallow: /a#b'), 'a', '+ / - /a /a#c https://x.example/a#b'],
  [everybody('Disallow: /a$'), 'a', '- /a#b https://x.example/a#?c'],
  [everybody('Disallow: /?'), 'a', '+ https://x.example - https://x.example?a https://x.example/?a'],
  [everybody('Disallow: /'), 'a', '+ https://x.example/robots.txt - https://x.example /robots.txt?x /a/robots.txt'],
];

const cases = [...examples, ...agents, ...groups, ...syntax, ...prefixes, ...wildcards, ...precedence, ...encodings, ...addresses].flatMap(
  ([rules, agent, list]) => {
    let allowed = true;
    return list.split(' ').flatMap((address) => {
      if (address !== '+' && address !== '-') return [{ rules, agent, address, allowed }];
      allowed = address === '+';
      return [];
    });
  },
);

test('the table has at least 300 cases', () => expect(cases.length).toBeGreaterThanOrEqual(300));

test('robots.txt answers as RFC 9309 says', () => {
  const wrong = cases.filter(({ rules, agent, address, allowed }) => robotsVerdict(parseRobots(file(rules)), agent, address).allowed !== allowed);
  expect(wrong).toEqual([]);
});

test('the verdict names the rule that decided and its line', () => {
  const robots = parseRobots('# a\nUser-agent: *\nAllow: /a\n\nDisallow: /a/b\n');
  expect(robotsVerdict(robots, 'x', '/a/b/c')).toEqual({ allowed: false, rule: { allow: false, path: '/a/b', line: 5 } });
  expect(robotsVerdict(robots, 'x', '/a/c')).toEqual({ allowed: true, rule: { allow: true, path: '/a', line: 3 } });
  expect(robotsVerdict(robots, 'x', '/c')).toEqual({ allowed: true, rule: null });
});

test('a crawler with several tokens obeys the first that has a group', () => {
  const robots = parseRobots('User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n');
  expect(robotsVerdict(robots, ['Googlebot-Image', 'Googlebot'], '/a').allowed).toBe(false);
  expect(robotsVerdict(robots, ['Googlebot-Image', 'Googlebot'], '/b').allowed).toBe(true);
  expect(robotsVerdict(robots, ['Bingbot'], '/b').allowed).toBe(false);
});

test('sitemaps are read outside of groups', () => {
  expect(parseRobots('Sitemap: https://a.example/1.xml\nUser-agent: *\nDisallow:\nsite-map: https://a.example/2.xml').sitemaps).toEqual([
    'https://a.example/1.xml',
    'https://a.example/2.xml',
  ]);
});

test('what follows 500 KiB is ignored, with the line that is cut', () => {
  const beginning = 'User-agent: *\nDisallow: /a\n';
  const filler = `#${'茶'.repeat(100)}\n`;
  const long = beginning + filler.repeat(Math.floor((robotsBytes - beginning.length) / 302)) + 'Disallow: /private'.padEnd(400, 'x') + '\nDisallow: /b\n';
  const robots = parseRobots(long);
  expect(robots.truncated).toBe(true);
  expect(robotsVerdict(robots, 'x', '/a').allowed).toBe(false);
  expect(robotsVerdict(robots, 'x', '/b').allowed).toBe(true);
  expect(robots.groups[0]?.rules).toHaveLength(1);
});

test('lines with unknown keys are reported as such', () => {
  expect(robotsLines('Crawl-delay: 5 # seconds\n\nallow: /\n')).toEqual([
    { line: 1, key: null, name: 'crawl-delay', value: '5' },
    { line: 3, key: 'allow', name: 'allow', value: '/' },
  ]);
});
