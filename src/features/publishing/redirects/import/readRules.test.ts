import { formatOf, readRules } from './readRules';

const short = (format: Parameters<typeof readRules>[0], text: string): string[] => {
  const { redirects, skipped } = readRules(format, text);
  return [
    ...redirects.map(({ from, to, status }) => [from, ...(to === '' ? [] : [to]), String(status)].join(' ')),
    ...skipped.map(({ line, reason }) => `${reason} ${String(line)}`),
  ];
};

test.each([
  ['Redirect 301 /old.html /new', ['/old.html /new 301']],
  ['Redirect permanent /docs https://docs.example.com', ['/docs https://docs.example.com 301', '/docs/* https://docs.example.com/:splat 301']],
  ['Redirect gone /away.html', ['/away.html 410']],
  ['RedirectTemp /sale.html "/summer sale"', ['/sale.html /summer sale 302']],
  ['RedirectMatch 301 ^/blog/(.*)$ /news/$1', ['/blog/* /news/:splat 301']],
  ['RedirectMatch 301 ^/contact/?$ /kontakt', ['/contact /kontakt 301']],
  ['RedirectMatch 301 (.*)\\.gif$ $1.jpg', ['~.*?(.*)\\.gif /$1.jpg 301']],
  ['RedirectMatch 301 ^/(?:old|former)/(\\d+)\\-a$ /new/\\1', ['~/(?:old|former)/(\\d+)-a /new/$1 301']],
  ['RedirectMatch 301 ^/a(?=b) /b', ['not_supported 1']],
  ['RewriteEngine On\nRewriteRule ^old\\.php$ /new [R=301,L]', ['/old.php /new 301']],
  ['RewriteRule ^shop/(.*)$ https://shop.example/$1 [R=308,L,NC]', ['/shop/* https://shop.example/:splat 308']],
  ['RewriteRule ^tmp$ - [G]', ['/tmp 410']],
  ['RewriteRule ^(.*)$ index.php [L]', ['not_supported 1']],
  ['RewriteCond %{HTTPS} off\nRewriteRule ^a$ /b [R=301]', ['not_supported 1', 'not_supported 2']],
  ['RewriteRule ^a-(\\d+)$ /b/$1 [R=301]', ['~/a-(\\d+) /b/$1 301']],
  ['RewriteRule ^/?b/(\\d+)(/.*)?$ c/$1 [R=301,L]', ['~/b/(\\d+)(/.*)? /c/$1 301']],
  ['RewriteRule \\.php$ - [G]', ['~/.*?\\.php 410']],
  ['RewriteRule /(\\d+)\\.html$ /p/$1 [R=301]', ['~.*?/(\\d+)\\.html /p/$1 301']],
  ['RewriteRule ^a|b$ /c [R=301]', ['not_supported 1']],
  ['RewriteRule ^d/(\\d+)$ https://%{HTTP_HOST}/d/$1 [R=301]', ['not_supported 1']],
  ['<IfModule mod_rewrite.c>\n# moved\nRedirect 302 /a.html\n</IfModule>', ['syntax 3']],
] as const)('.htaccess: %j', (text, rules) => {
  expect(short('htaccess', text)).toEqual(rules);
});

test.each([
  ['rewrite ^/old/(.*)$ /new/$1 permanent;', ['/old/* /new/:splat 301']],
  ['rewrite ^/a$ /b redirect;\nrewrite ^/c$ /d last;', ['/a /b 302', 'not_supported 2']],
  ['location = /about.html { return 301 /about; }', ['/about.html /about 301']],
  [
    'location /blog/ {\n  return 302 https://blog.example$request_uri;\n}',
    ['/blog https://blog.example/blog/ 302', '/blog/* https://blog.example/blog/:splat 302'],
  ],
  ['location ~ ^/tag/(.*)$ { return 301 /topics/$1; }', ['/tag/* /topics/:splat 301']],
  ['server {\n  server_name old.example;\n  return 301 https://new.example$request_uri; # all\n}', ['/* https://new.example/:splat 301']],
  ['map $uri $new {\n  default "";\n  /one /1;\n  /%E8%8C%B6 /tea;\n}', ['/one /1 301', '/茶 /tea 301']],
  ['location = /gone { return 410; }', ['/gone 410']],
  ['rewrite "^/y/(\\d{4})/(.*)$" /z/$2?y=$1 permanent;', ['~/y/(\\d{4})/(.*) /z/$2?y=$1 301']],
  ['log_format x "\\"$uri";\nrewrite ^/a$ /b permanent;', ['/a /b 301']],
  ['location ~ ^/p/(?<id>\\d+)/ { return 302 /q/$id$is_args$args; }', ['~/p/(?<id>\\d+)/.* /q/$1 302']],
  ['location ~* \\.(?:asp|cfm)$ { return 410; }', ['~.*?\\.(?:asp|cfm) 410']],
  ['rewrite ^/r/(\\d+)$ /s/$arg_x permanent;', ['not_supported 1']],
  ['if ($host = a.example) { return 301 /b; }', ['not_supported 1']],
  ['location / {\n  try_files $uri /index.php;\n}', ['not_supported 2']],
] as const)('nginx: %j', (text, rules) => {
  expect(short('nginx', text)).toEqual(rules);
});

test.each([
  ['from,to,status\n/a,/b,302\n"/c, d","/e ""f""",', ['/a /b 302', '/c, d /e "f" 301']],
  ['旧网址;新网址\r\n/关于;/about\r\n', ['/关于 /about 301']],
  ['Source URL\tTarget URL\nhttps://old.example/x\t/y\nhttps://other.example/z\t/y', ['/x /y 301', 'not_this_site 3']],
  ['from,to\n"~/a/(\\d{1,2})",/b/$1\n~/(,/c\n~/d,/$1', ['~/a/(\\d{1,2}) /b/$1 301', 'syntax 3', 'syntax 4']],
  ['/a,/b\n/gone,,410\n/nowhere,\n/c,/d,303', ['/a /b 301', '/gone 410', 'syntax 3', 'not_supported 4']],
] as const)('CSV: %j', (text, rules) => {
  expect(short('csv', text)).toEqual(rules);
});

test('columns of a CSV file may set the expiry and the note', () => {
  const { redirects } = readRules('csv', 'from,to,note,expires\n/sale,/shop,Summer,2026-08-31');
  expect(redirects).toEqual([{ from: '/sale', to: '/shop', status: 301, origin: 'import', note: 'Summer', expiresOn: '2026-08-31' }]);
});

test.each([
  ['/a /b\n/c /d', 'lines'],
  ['from,to\n/a,/b', 'csv'],
  ['# BEGIN\nRewriteEngine On', 'htaccess'],
  ['server {\n  listen 80;', 'nginx'],
  ['rewrite ^/a$ /b permanent;', 'nginx'],
] as const)('%j is recognised as %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

test('ten thousand lines are read at once', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `RedirectMatch 301 ^/old/${String(at)}/(.*)$ /new/${String(at)}/$1`).join('\n');
  expect(readRules('htaccess', text).redirects).toHaveLength(10_000);
});
