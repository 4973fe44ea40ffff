import { orbits } from '../../../kit/pictures/abstracts';
import { paint } from './paint';
import type { Say, StarterCollection, StarterContent, Writing } from './types';

const docs = ({ say, name }: Writing): StarterCollection => {
  const [first, concepts, reference] = [say('入门', 'Getting started'), say('概念', 'Concepts'), say('参考', 'Reference')];
  return {
    key: 'docs',
    icon: 'articles',
    listPath: '/docs',
    recordPath: '/docs/{slug}',
    sort: 'position',
    records: [
      {
        slug: 'install',
        values: {
          title: say('安装', 'Install'),
          section: first,
          position: 1,
          summary: say('需要什么，怎样装好，怎样确认成功。', 'What is needed, how to install it, and how to see that it works.'),
          body: say(
            '<p>先写前提条件，再写命令。读者应该能照着做完，不需要猜。</p><h2>要求</h2><table><thead><tr><th>系统</th><th>版本</th></tr></thead><tbody><tr><td>Linux</td><td>写最低版本</td></tr><tr><td>macOS</td><td>写最低版本</td></tr></tbody></table><h2>安装</h2><pre><code class="language-sh">curl -fsSLO https://example.com/install.sh\nsh install.sh</code></pre><h2>确认</h2><p>给出一条命令和它的预期输出。</p>',
            '<p>Requirements first, then commands. Readers should get to the end without guessing.</p><h2>Requirements</h2><table><thead><tr><th>System</th><th>Version</th></tr></thead><tbody><tr><td>Linux</td><td>The oldest that works</td></tr><tr><td>macOS</td><td>The oldest that works</td></tr></tbody></table><h2>Install</h2><pre><code class="language-sh">curl -fsSLO https://example.com/install.sh\nsh install.sh</code></pre><h2>Check</h2><p>Give one command and the output to expect.</p>',
          ),
        },
      },
      {
        slug: 'first-steps',
        values: {
          title: say('第一步', 'First steps'),
          section: first,
          position: 2,
          summary: say('五分钟内得到第一个结果。', 'A first result within five minutes.'),
          body: say(
            '<p>选一个最小的例子，从头做到尾。</p><ol><li>准备数据</li><li>运行</li><li>看结果</li></ol><p>每一步只讲必要的内容，细节链接到后面的文档。</p>',
            '<p>Take the smallest example and carry it through.</p><ol><li>Prepare the data</li><li>Run it</li><li>Look at the result</li></ol><p>Explain only what is needed, and link to the details.</p>',
          ),
        },
      },
      {
        slug: 'overview',
        values: {
          title: say('工作原理', 'How it works'),
          section: concepts,
          position: 3,
          summary: say('先认识几个词，后面的文档都会用到。', 'A few terms that the other pages use.'),
          body: say(
            `<p><img src="picture:overview.jpg" alt=""></p><p>用一张图和几段话说明${name}由哪些部分组成。</p><h2>术语</h2><ul><li><strong>第一个词</strong>：一句话的定义。</li><li><strong>第二个词</strong>：一句话的定义。</li></ul>`,
            `<p><img src="picture:overview.jpg" alt=""></p><p>Explain in a picture and a few paragraphs what ${name} consists of.</p><h2>Terms</h2><ul><li><strong>First term</strong>: a definition in one sentence.</li><li><strong>Second term</strong>: a definition in one sentence.</li></ul>`,
          ),
        },
      },
      {
        slug: 'configuration',
        values: {
          title: say('配置', 'Configuration'),
          section: reference,
          position: 4,
          summary: say('全部选项、默认值和例子。', 'All options, their defaults, and examples.'),
          body: say(
            '<p>参考文档按字母或按主题排列，每一项写清类型、默认值和作用。</p><table><thead><tr><th>选项</th><th>默认值</th><th>说明</th></tr></thead><tbody><tr><td><code>port</code></td><td>8080</td><td>监听的端口</td></tr></tbody></table>',
            '<p>A reference is in alphabetical order, or ordered by subject; each entry has a type, a default and an effect.</p><table><thead><tr><th>Option</th><th>Default</th><th>Effect</th></tr></thead><tbody><tr><td><code>port</code></td><td>8080</td><td>The port to listen on</td></tr></tbody></table>',
          ),
        },
      },
    ],
  };
};

const pages = (say: Say): StarterCollection => ({
  key: 'pages',
  icon: 'pages',
  listPath: null,
  recordPath: '/{slug}',
  sort: 'title',
  records: [
    {
      slug: 'privacy',
      values: {
        title: say('隐私说明', 'Privacy'),
        body: say('<p>说明网站收集哪些信息、保存多久、怎样联系负责人。</p>', '<p>Say which data this site collects, for how long, and whom to ask.</p>'),
      },
    },
  ],
});

export function docsStarter(writing: Writing): StarterContent {
  const { say, name } = writing;
  return {
    theme: 'docs',
    tagline: say('一句话说明产品是什么', 'One line about what the product is'),
    settings: {
      hero_title: name,
      hero_text: say('用一两句话说明产品解决什么问题，适合谁。', 'A sentence or two: which problem the product solves, and for whom.'),
      primary_label: say('开始使用', 'Get started'),
      primary_link: '/docs/install',
      secondary_label: say('工作原理', 'How it works'),
      secondary_link: '/docs/overview',
    },
    pictures: [paint(orbits, 'sea', 'overview', say('由圆环和节点组成的示意图', 'A diagram of rings and nodes'))],
    collections: [docs(writing), pages(say)],
    templates: [
      { path: '/', template: 'home', title: say('首页', 'Home') },
      { path: '/search', template: 'search', title: say('搜索', 'Search') },
    ],
    menus: {
      main: [{ label: say('文档', 'Docs'), path: '/docs' }],
      footer: [{ label: say('隐私说明', 'Privacy'), path: '/privacy' }],
    },
  };
}
