import { captionAddress, resourceAddress, requestedCaption, variantName } from './addresses';
import { aliasAddress, nameInAddress } from './alias';
import { pictureSnippet, srcsetOf, videoSnippet } from './snippets';
import { resourcePresetNames } from './terms';

const id = '0198c0de-0000-7000-8000-000000000001';
const sha256 = `0123456789abcdef${'0'.repeat(48)}`;
const tea = { id, sha256, name: 'tea.jpg' };

test.each([
  ['tea.jpg', 'tea.jpg'],
  ['..', 'file'],
  ['.', 'file'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a\\b', 'a_b'],
  ['100% #1?.png', '100%25%20%231%3F.png'],
  ['茶 🍵.png', '%E8%8C%B6%20%F0%9F%8D%B5.png'],
  ["it's (1)!*.png", 'it%27s%20%281%29%21%2A.png'],
  ['a"><b', 'a%22%3E%3Cb'],
  ['\uD800x', '_x'],
])('the name %j is %s in an address', (name, segment) => {
  expect(nameInAddress(name)).toBe(segment);
  expect(new URL(aliasAddress({ origin: 'https://tea.example', id, name })).pathname).toBe(`/_r/${id}/${segment}`);
});

test('an address contains the version and the variant', () => {
  expect(resourceAddress(tea)).toBe(`/_r/${id}/01234567/original/tea.jpg`);
  expect(resourceAddress({ ...tea, origin: 'https://tea.example', preset: 'small' })).toBe(`https://tea.example/_r/${id}/01234567/small/tea.jpg`);
});

test('only the address of a filled preset changes with the focal point', () => {
  const focal = { focalX: 0.2, focalY: 0.755 };
  expect(resourceAddress({ ...tea, ...focal, preset: 'square' })).toBe(`/_r/${id}/01234567/square-20-76/tea.jpg`);
  expect(resourceAddress({ ...tea, ...focal, preset: 'large' })).toBe(resourceAddress({ ...tea, preset: 'large' }));
  expect(new Set(resourcePresetNames.map((preset) => variantName(preset, focal))).size).toBe(resourcePresetNames.length);
});

const widthsOf = (srcset: string): string[] => srcset.split(', ').map((candidate) => candidate.split(' ')[1] ?? '');

test('srcset has each width once and none above that of the image', () => {
  expect(widthsOf(srcsetOf({ ...tea, width: 4000, height: 3000 }))).toEqual(['320w', '640w', '1280w', '2048w']);
  expect(widthsOf(srcsetOf({ ...tea, width: 3000, height: 4000 }))).toEqual(['240w', '480w', '960w', '1536w']);
  expect(widthsOf(srcsetOf({ ...tea, width: 500, height: 400 }))).toEqual(['320w', '500w']);
  expect(widthsOf(srcsetOf({ ...tea, name: 'a, b.jpg', width: 1, height: 5000 }))).toEqual(['1w']);
});

test('an HTML snippet reserves space and escapes its text', () => {
  const image = { ...tea, width: 2560, height: 1440 };
  expect(pictureSnippet({ ...image, kind: 'image', alt: 'Tea "<&\'>' }, 'html')).toBe(
    `<img src="/_r/${id}/01234567/medium/tea.jpg" srcset="${srcsetOf(image)}" sizes="(max-width: 1280px) 100vw, 1280px" width="1280" height="720" ` +
      'alt="Tea &quot;&lt;&amp;&#39;&gt;" loading="lazy" decoding="async">',
  );
});

test('an SVG is shown as it is', () => {
  const snippet = pictureSnippet({ ...tea, name: 'a.svg', kind: 'svg', width: null, height: null, alt: '' }, 'html');
  expect(snippet).toBe(`<img src="/_r/${id}/01234567/original/a.svg" alt="" loading="lazy" decoding="async">`);
});

test('a Markdown snippet stays one image whatever the alternative text', () => {
  expect(pictureSnippet({ ...tea, kind: 'image', width: 10, height: 10, alt: '](x) [a]\nb `c`' }, 'markdown')).toBe(
    `![\\](x) \\[a\\] b \\\`c\\\`](/_r/${id}/01234567/medium/tea.jpg)`,
  );
});

test('the code of a video has its poster, formats and captions', () => {
  const video = { ...tea, name: 'tea.mp4', width: 640, height: 360, posterSha256: null, contentType: 'video/quicktime', formats: [], captions: [] };
  const start = '<video controls preload="metadata"';
  expect(videoSnippet(video)).toBe(`${start} src="/_r/${id}/01234567/original/tea.mp4" width="640" height="360"></video>`);
  const captions = [{ language: 'zh-Hans', use: 'subtitles', label: '"中文"' }] as const;
  expect(videoSnippet({ ...video, origin: 'https://tea.example', posterSha256: 'f'.repeat(64), formats: ['mp4'], captions })).toBe(
    [
      `${start} crossorigin="anonymous" width="640" height="360" poster="https://tea.example/_r/${id}/ffffffff/large/poster">`,
      `  <source src="https://tea.example/_r/${id}/01234567/mp4/tea.mp4" type="video/mp4">`,
      `  <source src="https://tea.example/_r/${id}/01234567/original/tea.mp4" type="video/quicktime">`,
      `  <track kind="subtitles" srclang="zh-Hans" label="&quot;中文&quot;" src="https://tea.example/_r/${id}/captions/zh-Hans.subtitles.vtt">`,
      '</video>',
    ].join('\n'),
  );
});

test('an address of captions is read as it was built', () => {
  const track = { id, language: 'zh-Hans', use: 'captions' } as const;
  expect(requestedCaption(captionAddress(track))).toEqual(track);
  expect(requestedCaption(`/_r/${id}/captions/zh.metadata.vtt`)).toBeNull();
});
