import { findFooter, readPageText } from './readFooter';

const icp = { kind: 'icp', number: '京ICP备12345678号-1' } as const;
const mps = { kind: 'mps', number: '京公网安备11010502030143号' } as const;
const link = (href: string, text: string) => `<a href="${href}">${text}</a>`;
const miit = 'https://beian.miit.gov.cn/';
const police = 'https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143';
const find = (html: string, filing: Parameters<typeof findFooter>[1] = icp) => {
  const { state, detail } = findFooter(readPageText(`<!doctype html><body>${html}</body>`), filing);
  return detail === '' ? state : `${state} ${detail}`;
};

test.each([
  ['shown and linked', link(miit, icp.number), 'ok'],
  ['divided by elements and spaces', link(miit, '<span>京 ICP 备</span><b>12345678</b> 号-1'), 'ok'],
  ['written with full-width digits', link(miit, '京ICP备１２３４５６７８号－１'), 'ok'],
  ['shown without a link', icp.number, 'wrong_link'],
  ['linked elsewhere', link('https://example.com/', icp.number), 'wrong_link https://example.com/'],
  ['linked to a host that only begins alike', link('https://beian.miit.gov.cn.example.com/', icp.number), 'wrong_link https://beian.miit.gov.cn.example.com/'],
  ['another one', link(miit, '京ICP备87654321号-1'), 'wrong_number 京ICP备87654321号-1'],
  ['the one of the subject', link(miit, '京ICP备12345678号'), 'wrong_number 京ICP备12345678号'],
  ['absent', '<p>2026</p>', 'missing'],
  ['hidden by display', `<div style="color:red; display : none">${link(miit, icp.number)}</div>`, 'hidden'],
  ['hidden by visibility', `<p style="visibility:hidden">${icp.number}</p>`, 'hidden'],
  ['hidden by size', `<p style="font-size:0">${icp.number}</p>`, 'hidden'],
  ['hidden by its attribute', `<p hidden>${link(miit, icp.number)}</p>`, 'hidden'],
  ['in a script only', `<script>const a = '${icp.number}'</script>`, 'missing'],
  ['in a comment only', `<!-- ${icp.number} -->`, 'missing'],
  ['small but visible', `<p style="font-size:0.8em;opacity:0.6">${link(miit, icp.number)}</p>`, 'ok'],
  ['after an element that is never closed', `<p hidden>x</p><br><img src="a.png">${link(miit, icp.number)}`, 'ok'],
])('a number that is %s is reported as such', (_, html, state) => {
  expect(find(html)).toBe(state);
});

test.each([
  ['the code of the number', link(police, mps.number), 'ok'],
  ['the older register', link('http://www.beian.gov.cn/portal/registerSystemInfo?recordcode=11010502030143', mps.number), 'ok'],
  ['another code', link(police.replace('0143', '0144'), mps.number), `wrong_link ${police.replace('0143', '0144')}`],
  ['the register of ICP', link(miit, mps.number), `wrong_link ${miit}`],
])('a number of public security links to %s', (_, html, state) => {
  expect(find(html, mps)).toBe(state);
});

test('Guangdong shows the number of the subject', () => {
  const filing = { kind: 'icp', number: '粤ICP备12345678号-3' } as const;
  expect([find(link(miit, '粤ICP备12345678号'), filing), find(link(miit, filing.number), filing)]).toEqual(['ok', 'wrong_number 粤ICP备12345678号-3']);
});

test('elements without an end take no time', () => {
  const started = performance.now();
  const { visible } = readPageText(`<p>京ICP备12345678号-1</p>${'<b>'.repeat(300_000)}${'</i>'.repeat(300_000)}`);
  expect(visible).toBe('京ICP备12345678号-1');
  expect(performance.now() - started).toBeLessThan(3000);
});
