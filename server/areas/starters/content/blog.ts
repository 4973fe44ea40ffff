import { lake, road } from '../../../kit/pictures/landscapes';
import { portraits } from '../../../kit/pictures/portraits';
import { desk } from '../../../kit/pictures/stillLifes';
import { paint } from './paint';
import type { Say, StarterCollection, StarterContent, Writing } from './types';

const topics = (say: Say): StarterCollection => ({
  key: 'topics',
  icon: '',
  listPath: null,
  recordPath: '/topics/{slug}',
  sort: 'title',
  records: [
    { slug: 'notes', values: { title: say('随笔', 'Notes'), summary: say('短的想法和观察。', 'Short thoughts and observations.') } },
    { slug: 'guides', values: { title: say('指南', 'Guides'), summary: say('一步一步的说明。', 'Step by step.') } },
  ],
});

const authors = (say: Say): StarterCollection => ({
  key: 'authors',
  icon: 'team',
  listPath: null,
  recordPath: '/authors/{slug}',
  sort: 'title',
  records: [
    {
      slug: 'me',
      values: { title: say('作者姓名', 'Your name'), role: say('作者', 'Author'), summary: say('用一两句话介绍自己。', 'A sentence or two about yourself.') },
      pictures: { photo: 'portrait.jpg' },
    },
  ],
});

const posts = ({ say, name, daysAgo }: Writing): StarterCollection => ({
  key: 'posts',
  icon: 'articles',
  listPath: '/',
  recordPath: '/posts/{slug}',
  sort: '-date',
  records: [
    {
      slug: 'hello',
      values: {
        title: say('第一篇文章', 'The first article'),
        summary: say(`为什么有了${name}，以后会写些什么。`, `Why ${name} exists, and what will be written here.`),
        date: daysAgo(0),
        featured: true,
        body: say(
          '<p>第一篇文章可以回答两个问题：为什么写，写给谁。</p><h2>以后会有什么</h2><p>列出几个会写的题目，给自己一个约定，也给读者一个理由回来。</p><blockquote><p>写得短，写得勤。</p></blockquote><p>在“内容”里打开“文章”，就能修改或删除这一篇。</p>',
          '<p>A first article answers two questions: why you write, and for whom.</p><h2>What will follow</h2><p>Name a few subjects. It is a promise to yourself, and a reason for readers to return.</p><blockquote><p>Write briefly, and often.</p></blockquote><p>Open “Articles” among the content tables to change or delete this one.</p>',
        ),
      },
      pictures: { cover: 'lake.jpg' },
      links: { author: 0, topics: [0] },
    },
    {
      slug: 'how-to-publish',
      values: {
        title: say('怎样发布一篇文章', 'How to publish an article'),
        summary: say('标题、摘要、封面、正文：四步写好一篇。', 'Title, summary, cover, text: four steps.'),
        date: daysAgo(3),
        body: say(
          '<p>每篇文章是“文章”表里的一条记录。</p><ol><li>写标题和摘要，摘要会出现在列表和搜索结果里。</li><li>选一张封面，填写图片说明。</li><li>写正文，用二级标题分段。</li><li>发布。草稿只有你看得到。</li></ol><h2>排版</h2><p>正文支持列表、表格、引用、代码和图片。</p>',
          '<p>Each article is a record of the table “Articles”.</p><ol><li>Write title and summary; the summary appears in lists and search results.</li><li>Choose a cover, and describe the picture.</li><li>Write the text, with headings of the second level.</li><li>Publish. Drafts are visible to you only.</li></ol><h2>Layout</h2><p>Texts may contain lists, tables, quotations, code and pictures.</p>',
        ),
      },
      pictures: { cover: 'desk.jpg' },
      links: { author: 0, topics: [1] },
    },
    {
      slug: 'a-walk',
      values: {
        title: say('一次散步的记录', 'Notes from a walk'),
        summary: say('配一张照片、写三段话，也是一篇文章。', 'One picture and three paragraphs are an article, too.'),
        date: daysAgo(9),
        body: say(
          '<p>从看到的第一样东西写起。</p><p>然后是声音、气味和天气。</p><p>最后写下走回家的路上想到的事。</p>',
          '<p>Begin with the first thing that you saw.</p><p>Then the sounds, the smells and the weather.</p><p>End with what you thought of on the way home.</p>',
        ),
      },
      pictures: { cover: 'road.jpg' },
      links: { author: 0, topics: [0] },
    },
  ],
});

const pages = ({ say, name }: Writing): StarterCollection => ({
  key: 'pages',
  icon: 'pages',
  listPath: null,
  recordPath: '/{slug}',
  sort: 'title',
  records: [
    {
      slug: 'about',
      values: {
        title: say('关于', 'About'),
        summary: say('谁在写，怎样联系。', 'Who writes here, and how to get in touch.'),
        body: say(`<p>${name}由谁在写，多久更新一次，读者怎样联系你。</p>`, `<p>Who writes ${name}, how often, and how readers reach you.</p>`),
      },
    },
  ],
});

export function blog(writing: Writing): StarterContent {
  const { say } = writing;
  return {
    theme: 'blog',
    tagline: say('一句话说明这里写什么', 'One line about what is written here'),
    settings: { about: say('用两句话介绍这个博客和它的作者。', 'Two sentences about this blog and its author.') },
    pictures: [
      paint(lake, 'spruce', 'lake', say('雪山倒映在平静的湖面上', 'Snowy mountains mirrored in a still lake')),
      paint(desk, 'dawn', 'desk', say('桌上摊开的本子和钢笔', 'An open notebook and a pen on a desk')),
      paint(road, 'plum', 'road', say('蜿蜒通向山谷的路', 'A winding road into a valley')),
      { name: 'portrait.jpg', alt: say('作者的头像', 'Portrait of the author'), svg: () => portraits[4] ?? '' },
    ],
    collections: [topics(say), authors(say), posts(writing), pages(writing)],
    templates: [
      { path: '/archive', template: 'archive', title: say('归档', 'Archive') },
      { path: '/search', template: 'search', title: say('搜索', 'Search') },
    ],
    menus: {
      main: [
        { label: say('文章', 'Articles'), path: '/' },
        { label: say('归档', 'Archive'), path: '/archive' },
        { label: say('关于', 'About'), path: '/about' },
      ],
      footer: [{ label: say('归档', 'Archive'), path: '/archive' }],
    },
  };
}
