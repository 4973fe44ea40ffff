import { city, hills } from '../../../kit/pictures/landscapes';
import { portraits } from '../../../kit/pictures/portraits';
import { boxes, desk } from '../../../kit/pictures/stillLifes';
import { paint } from './paint';
import type { Say, StarterCollection, StarterContent, Writing } from './types';

const services = (say: Say): StarterCollection => ({
  key: 'services',
  icon: 'products',
  listPath: '/services',
  recordPath: '/services/{slug}',
  sort: 'position',
  records: [
    {
      slug: 'consulting',
      values: {
        title: say('咨询', 'Consulting'),
        summary: say('用一两句话说明这项服务解决什么问题、适合谁。', 'One or two sentences: which problem this service solves, and for whom.'),
        body: say(
          '<p>从客户的处境写起：他们遇到了什么，希望变成什么样。</p><h2>怎样开始</h2><ul><li>第一次沟通需要准备什么</li><li>多久能得到方案</li><li>由谁负责</li></ul><h2>费用</h2><p>写清计费方式，能给出范围就给出范围。</p>',
          '<p>Begin with the situation of your customers: what troubles them, and what they want instead.</p><h2>How it starts</h2><ul><li>What to prepare for the first talk</li><li>When a proposal arrives</li><li>Who is responsible</li></ul><h2>Cost</h2><p>Say how you charge, with a range where you can.</p>',
        ),
        position: 1,
      },
      pictures: { cover: 'meeting.jpg' },
    },
    {
      slug: 'delivery',
      values: {
        title: say('实施', 'Delivery'),
        summary: say('说明交付的内容、周期，以及客户要配合什么。', 'What you deliver, how long it takes, and what you need from the customer.'),
        body: say(
          '<p>按步骤介绍过程，让人知道每一步会得到什么。</p><h2>步骤</h2><ol><li>现场了解</li><li>方案确认</li><li>实施与验收</li></ol>',
          '<p>Describe the process step by step, and what each step brings.</p><h2>Steps</h2><ol><li>A visit on site</li><li>The agreed plan</li><li>The work, and its acceptance</li></ol>',
        ),
        position: 2,
      },
      pictures: { cover: 'boxes.jpg' },
    },
    {
      slug: 'support',
      values: {
        title: say('维护', 'Support'),
        summary: say(
          '交付以后怎样提供帮助：响应时间、联系方式、包含哪些内容。',
          'How you help afterwards: response times, how to reach you, what is included.',
        ),
        body: say(
          '<p>写清服务时间和响应方式。客户最想知道的是：出了问题找谁、多久有人处理。</p>',
          '<p>State hours and response times. What people want to know most: whom to call, and when somebody takes care of it.</p>',
        ),
        position: 3,
      },
    },
  ],
});

const team = (say: Say): StarterCollection => ({
  key: 'team',
  icon: 'team',
  listPath: '/team',
  recordPath: null,
  sort: 'position',
  records: [
    {
      values: {
        title: say('王敏', 'Anna Berg'),
        role: say('总经理', 'Managing director'),
        summary: say('换成真实的姓名、职位和一句介绍。', 'Replace this with a real name, role and a sentence.'),
        position: 1,
      },
      pictures: { photo: 'portrait-1.jpg' },
    },
    {
      values: {
        title: say('李航', 'Daniel Okafor'),
        role: say('项目负责人', 'Head of projects'),
        summary: say('客户最先联系的人可以放在前面。', 'Start with the people whom customers meet first.'),
        position: 2,
      },
      pictures: { photo: 'portrait-2.jpg' },
    },
    {
      values: {
        title: say('陈雨', 'Mei Tanaka'),
        role: say('客户服务', 'Customer care'),
        summary: say('照片可以在资源库里替换。', 'Pictures can be replaced in Resources.'),
        position: 3,
      },
      pictures: { photo: 'portrait-3.jpg' },
    },
  ],
});

const news = ({ say, name, daysAgo }: Writing): StarterCollection => ({
  key: 'news',
  icon: 'articles',
  listPath: '/news',
  recordPath: '/news/{slug}',
  sort: '-date',
  records: [
    {
      slug: 'new-website',
      values: {
        title: say('我们的新网站上线了', 'Our new website is online'),
        summary: say(`从今天起，可以在这里了解${name}的服务和动态。`, `From today on, this is the place to follow ${name}.`),
        date: daysAgo(0),
        body: say(
          '<p>第一条新闻可以很短：介绍网站上有什么、以后会更新什么。</p><p>在“内容”里打开“新闻”，就能修改这一条。</p>',
          '<p>The first piece of news may be short: what the site offers, and what will follow.</p><p>Open “News” among the content tables to change it.</p>',
        ),
      },
      pictures: { cover: 'morning.jpg' },
    },
    {
      slug: 'how-we-work',
      values: {
        title: say('我们怎样工作', 'How we work'),
        summary: say('写一个真实的项目：起点、过程和结果。', 'Describe a real project: where it started, what happened, how it ended.'),
        date: daysAgo(14),
        body: say(
          '<p>具体的数字和照片比形容词更有说服力。</p><h2>起点</h2><p>客户当时遇到的问题。</p><h2>结果</h2><p>交付之后发生的变化。</p>',
          '<p>Figures and pictures convince more than adjectives.</p><h2>The start</h2><p>The problem that the customer had.</p><h2>The result</h2><p>What changed afterwards.</p>',
        ),
      },
    },
  ],
});

const customers = (say: Say): StarterCollection => ({
  key: 'customers',
  icon: '',
  listPath: null,
  recordPath: null,
  sort: 'position',
  records: [
    {
      values: {
        title: say('客户名称', 'Name of a customer'),
        quote: say('换成客户的一句评价，事先征得同意。', 'A sentence that a customer said about you, with their consent.'),
        person: say('姓名，职位', 'Name, role'),
        position: 1,
      },
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
        title: say('关于我们', 'About us'),
        summary: say('公司从哪里来，为谁服务。', 'Where the company comes from, and whom it serves.'),
        body: say(
          `<p>${name}成立于哪一年、由谁创办、做到了什么。三段话就够了。</p><h2>我们看重什么</h2><p>写两三条真正影响工作的原则。</p>`,
          `<p>When ${name} was founded, by whom, and what it has achieved. Three paragraphs are enough.</p><h2>What matters to us</h2><p>Two or three principles that really shape your work.</p>`,
        ),
      },
      pictures: { cover: 'town.jpg' },
    },
    {
      slug: 'privacy',
      values: {
        title: say('隐私说明', 'Privacy'),
        body: say('<p>说明网站收集哪些信息、保存多久、怎样联系负责人。</p>', '<p>Say which data this site collects, for how long, and whom to ask.</p>'),
      },
    },
  ],
});

export function company(writing: Writing): StarterContent {
  const { say, name } = writing;
  return {
    theme: 'company',
    tagline: say('一句话说明公司做什么', 'One line about what the company does'),
    settings: {
      hero_title: name,
      hero_text: say('用一两句话告诉访客：这里提供什么，对他有什么好处。', 'Tell visitors in a sentence or two what you offer, and what they gain.'),
      primary_label: say('了解服务', 'Our services'),
      primary_link: '/services',
      secondary_label: say('联系我们', 'Contact us'),
      secondary_link: '/contact',
      contact_text: say('写下电话、邮箱和回复时间，让人知道怎样找到你。', 'Phone, e-mail and how soon you answer, so that people know how to reach you.'),
    },
    images: { hero_image: 'town.jpg' },
    pictures: [
      paint(city, 'sea', 'town', say('清晨的城市天际线', 'A city skyline in the morning')),
      paint(desk, 'sand', 'meeting', say('桌上摊开的本子和一杯茶', 'An open notebook and a cup of tea on a desk')),
      paint(boxes, 'sea', 'boxes', say('码放整齐的箱子', 'Neatly stacked boxes')),
      paint(hills, 'dawn', 'morning', say('晨雾中的山丘', 'Hills in the morning mist')),
      ...[0, 2, 5].map((look, at) => ({
        name: `portrait-${at + 1}.jpg`,
        alt: say('团队成员的头像', 'Portrait of a member of the team'),
        svg: () => portraits[look] ?? '',
      })),
    ],
    collections: [services(say), team(say), news(writing), customers(say), pages(writing)],
    templates: [
      { path: '/', template: 'home', title: say('首页', 'Home') },
      { path: '/contact', template: 'contact', title: say('联系我们', 'Contact') },
      { path: '/search', template: 'search', title: say('搜索', 'Search') },
    ],
    menus: {
      main: [
        { label: say('服务', 'Services'), path: '/services' },
        { label: say('新闻', 'News'), path: '/news' },
        { label: say('团队', 'Team'), path: '/team' },
        { label: say('联系我们', 'Contact'), path: '/contact' },
      ],
      footer: [
        { label: say('关于我们', 'About us'), path: '/about' },
        { label: say('隐私说明', 'Privacy'), path: '/privacy' },
      ],
    },
  };
}
