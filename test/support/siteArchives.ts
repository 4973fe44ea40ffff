import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { ZipFile } from 'yazl';

/** Exports of other programs, made for tests. */

export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { mtime: new Date(Date.UTC(2024, 0, 1)) });
  zip.end();
  return buffer(zip.outputStream);
}

/** A picture whose content depends on the colour. */
export const pictureOf = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();

type Post = {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly type?: string;
  readonly status?: string;
  readonly body: string;
  readonly link: string;
  readonly more?: string;
};
const postXml = ({ id, title, slug, type = 'post', status = 'publish', body, link, more = '' }: Post): string => `<item>
<title>${title}</title><link>${link}</link><guid isPermaLink="false">https://old.example/?p=${id}</guid><dc:creator><![CDATA[jane]]></dc:creator>
<content:encoded><![CDATA[${body}]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2024-05-01 08:00:00</wp:post_date_gmt><wp:post_name>${slug}</wp:post_name><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>
${more}</item>`;

export const wordpressXml = (posts: readonly Post[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Tea notes</title><link>https://old.example</link><description>About tea</description><language>en-GB</language><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login>jane</wp:author_login><wp:author_display_name><![CDATA[Jane Doe]]></wp:author_display_name></wp:author>
${posts.map(postXml).join('\n')}
</channel></rss>`;

export const ghostJson = (): string =>
  JSON.stringify({
    db: [
      {
        meta: { version: '5.0.0' },
        data: {
          posts: [
            {
              id: '1',
              uuid: 'u1',
              title: 'First',
              slug: 'first',
              html: '<p>Hello <a href="__GHOST_URL__/about/">about</a></p>',
              type: 'post',
              status: 'published',
              published_at: '2024-01-02T00:00:00.000Z',
            },
            { id: '2', uuid: 'u2', title: 'About', slug: 'about', html: '<p>We make tea.</p>', type: 'page', status: 'published' },
          ],
          tags: [{ id: 't1', name: 'News', slug: 'news' }],
          posts_tags: [{ post_id: '1', tag_id: 't1' }],
          users: [{ id: 'a1', name: 'Jane', slug: 'jane', password: '$2a$10$secret' }],
          posts_authors: [{ post_id: '1', author_id: 'a1' }],
          settings: [{ key: 'title', value: 'Ghost tea' }],
        },
      },
    ],
  });

const page = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><title>${title} – Tea House</title><meta name="description" content="${title} in short"><meta property="og:site_name" content="Tea House"></head>
<body><nav><a href="/index.html">Home</a></nav><main><h1>${title}</h1>${main}</main><footer>Footer text</footer></body></html>`;
export const staticFiles = async (): Promise<Record<string, string | Buffer>> => ({
  'site/index.html': page('Welcome', '<p>Start <a href="about.html">about us</a> and <a href="news/one.html">news</a>.</p><script>alert(1)</script>'),
  'site/about.html': page('About us', '<p>We are here. <img src="img/leaf.png" alt="A leaf"> <img src="img/missing.png"></p>'),
  'site/news/one.html': page('One', '<p>First. <a href="two.html">Next</a></p>'),
  'site/news/two.html': page('Two', '<p>Second. <a href="../about.html#team">About</a></p>'),
  'site/news/three.html': page('Three', '<p>Third <img src="../img/leaf.png"></p>'),
  'site/img/leaf.png': await pictureOf('#00aa00'),
});
export const markdownFiles = async (): Promise<Record<string, string | Buffer>> => ({
  'content/_index.md': '---\ntitle: My notes\n---\nWelcome',
  'content/posts/2024-03-04-green.md':
    '---\ntitle: Green tea\ndate: 2024-03-04\ntags: [tea, green]\naliases: ["/old/green/"]\ncover: ../img/cup.png\n---\n# Green\n\nSee [about](/about/).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  'content/posts/draft.md': '---\ntitle: Not yet\ndraft: true\n---\nLater',
  'content/about.md': '---\ntitle: About\n---\nText ![Cup](img/cup.png)',
  'content/img/cup.png': await pictureOf('#aa0000'),
});
export const csvText = 'name,handle,description,price,image\nCup,cup,"<p>A cup</p>",12.50,\nPot,pot,A pot,30,\n"=cmd()",formula,Text,1,\n';

type ServedPage = { readonly body?: string | Buffer; readonly type?: string; readonly location?: string };
/** A website on a port of this machine. `ORIGIN` in its texts is its address. */
export async function servePages(pages: Readonly<Record<string, ServedPage>>) {
  const requests: string[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const served = pages[request.url ?? ''];
    if (served?.location !== undefined) return response.writeHead(301, { location: served.location }).end();
    if (served === undefined) return response.writeHead(404, { 'content-type': 'text/html' }).end('gone');
    const body = typeof served.body === 'string' ? served.body.replaceAll('ORIGIN', origin) : served.body;
    return response.writeHead(200, { 'content-type': served.type ?? 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return { origin, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}
