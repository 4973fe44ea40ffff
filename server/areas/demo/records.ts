import type { Locale } from '../../http/access';

/** A text in both languages of the demo site. */
export type Bilingual = { readonly zh: string; readonly en: string };
const t = (zh: string, en: string): Bilingual => ({ zh, en });
export const inLocale = (locale: Locale, text: Bilingual): string => (locale === 'en' ? text.en : text.zh);

export const authors: readonly {
  readonly name: Bilingual;
  readonly role: Bilingual;
  readonly team: 'writing' | 'product' | 'guest';
  readonly joined: string;
}[] = [
  {
    name: t('林知远', 'Lin Zhiyuan'),
    role: t('主编，负责专栏与选题。', 'Editor in chief; plans the columns and picks the topics.'),
    team: 'writing',
    joined: '2023-03-06',
  },
  { name: t('苏晚晴', 'Su Wanqing'), role: t('写读书笔记和方法类文章。', 'Writes about reading, notes and methods.'), team: 'writing', joined: '2023-09-18' },
  {
    name: t('周致和', 'Zhou Zhihe'),
    role: t('产品经理，写更新说明和路线图。', 'Product manager; writes release notes and the roadmap.'),
    team: 'product',
    joined: '2022-11-01',
  },
  { name: t('何牧野', 'He Muye'), role: t('开发工程师，写同步与接口。', 'Engineer; writes about sync and the API.'), team: 'product', joined: '2024-02-26' },
  {
    name: t('陈沐', 'Chen Mu'),
    role: t('设计师，写界面背后的取舍。', 'Designer; writes about the choices behind the interface.'),
    team: 'product',
    joined: '2024-06-11',
  },
  {
    name: t('安娜·韦伯', 'Anna Weber'),
    role: t('特约作者，研究个人知识管理。', 'Guest author; studies personal knowledge management.'),
    team: 'guest',
    joined: '2025-01-15',
  },
  {
    name: t('高木直人', 'Naoto Takagi'),
    role: t('特约作者，写手帐和纸上的习惯。', 'Guest author; writes about journals and habits on paper.'),
    team: 'guest',
    joined: '2025-05-08',
  },
];

export type Category = 'guide' | 'story' | 'news' | 'notice';
export type DemoArticle = {
  readonly title: Bilingual;
  readonly summary: Bilingual;
  readonly category: Category;
  /** Position in `authors`. */
  readonly author: number;
  /** Days before today; negative: planned. */
  readonly daysAgo: number;
  readonly draft?: true;
};
const a = (category: Category, author: number, daysAgo: number, title: Bilingual, summary: Bilingual, draft?: true): DemoArticle => ({
  category,
  author,
  daysAgo,
  title,
  summary,
  ...(draft ? { draft } : {}),
});

/** The articles of the demo site's blog, newest first; drafts are what the editors work on. */
export const articles: readonly DemoArticle[] = [
  a(
    'story',
    0,
    -6,
    t('一年里最值得重读的十条笔记', 'Ten notes worth rereading this year'),
    t('编辑部翻出自己的旧笔记，每人选两条。', 'The editors open their old notes and pick two each.'),
    true,
  ),
  a(
    'guide',
    1,
    -3,
    t('给会议记录做减法', 'Fewer words in meeting notes'),
    t('只记决定、负责人和日期，其余交给录音。', 'Keep decisions, owners and dates; leave the rest to the recording.'),
    true,
  ),
  a(
    'news',
    2,
    -1,
    t('4.3 版：表格可以排序了', 'Version 4.3: tables can be sorted'),
    t('点一下表头就能排序，公式列也可以。', 'Click a heading to sort, formula columns included.'),
    true,
  ),
  a(
    'guide',
    3,
    0,
    t('用接口把书签变成笔记', 'Turn bookmarks into notes with the API'),
    t('三十行脚本，每晚自动归档。', 'Thirty lines of script that file them every night.'),
    true,
  ),
  a(
    'guide',
    1,
    2,
    t('怎样做不会白做的读书笔记', 'Reading notes that are not wasted'),
    t('先写问题，再翻书，最后用自己的话回答。', 'Write the question first, read, then answer in your own words.'),
  ),
  a(
    'story',
    0,
    4,
    t('为什么笔记应该先存在本地', 'Why notes belong on your own disk first'),
    t('断网、换设备、公司倒闭，数据都还在你手里。', 'Offline, on a new device, after a company closes: the data stays yours.'),
  ),
  a(
    'guide',
    3,
    6,
    t('把表格写进 Markdown 的四种办法', 'Four ways to write tables in Markdown'),
    t('从手工对齐到粘贴 CSV，各有适合的场合。', 'From aligning by hand to pasting CSV, and when to use which.'),
  ),
  a(
    'notice',
    2,
    8,
    t('11 月 20 日凌晨同步服务维护', 'Sync maintenance on 20 November'),
    t('维护约四十分钟，本地编辑不受影响。', 'About forty minutes; editing on your device is not affected.'),
  ),
  a(
    'news',
    2,
    10,
    t('4.2 版：多设备同步快了一倍', 'Version 4.2: sync is twice as fast'),
    t('只传改动的段落，移动网络下尤其明显。', 'Only changed paragraphs travel, which shows on mobile networks.'),
  ),
  a(
    'story',
    4,
    12,
    t('一个按钮为什么搬了三次家', 'Why one button moved three times'),
    t('我们如何用一周的录像找到它该在的位置。', 'How a week of recordings told us where it belongs.'),
  ),
  a(
    'guide',
    5,
    15,
    t('卡片盒笔记，从第一张卡片开始', 'Zettelkasten, starting with one card'),
    t('一张卡片一个想法，链接比分类重要。', 'One idea a card; links matter more than folders.'),
  ),
  a(
    'guide',
    6,
    17,
    t('纸上记，屏幕上找', 'Write on paper, find on screen'),
    t('拍照、识别、加标签，三步完成归档。', 'Photograph, recognise, tag: filed in three steps.'),
  ),
  a(
    'news',
    2,
    20,
    t('2026 年路线图', 'Roadmap for 2026'),
    t('明年做三件事：协作、搜索、离线地图。', 'Three things next year: collaboration, search and offline maps.'),
  ),
  a(
    'guide',
    3,
    22,
    t('同步冲突是怎么解决的', 'How sync conflicts are settled'),
    t('两台设备同时改一段文字时，程序会怎么做。', 'What the program does when two devices edit one paragraph.'),
  ),
  a(
    'story',
    0,
    25,
    t('一位译者的三万条笔记', 'A translator and her thirty thousand notes'),
    t('她用标签记录每个词的十种译法。', 'She keeps ten translations of every word under tags.'),
  ),
  a(
    'guide',
    1,
    28,
    t('周记模板：四个问题就够了', 'A weekly template with four questions'),
    t('做了什么、学到什么、卡在哪里、下周先做什么。', 'What was done, learned and stuck, and what comes first next week.'),
  ),
  a(
    'notice',
    2,
    31,
    t('旧版 Windows 7 客户端停止更新', 'No more updates for Windows 7'),
    t('现有版本仍可使用，安全更新到年底为止。', 'The current version keeps working; security updates end this year.'),
  ),
  a(
    'guide',
    3,
    34,
    t('全文搜索的七个技巧', 'Seven tricks for full-text search'),
    t('引号、减号、标签和日期可以写在一起。', 'Quotes, minus signs, tags and dates work together.'),
  ),
  a(
    'story',
    4,
    37,
    t('深色模式不是把颜色反过来', 'Dark mode is not inverted light'),
    t('从对比度、层次到插图，我们重做了一遍。', 'Contrast, depth and pictures: we did all of it again.'),
  ),
  a(
    'guide',
    5,
    40,
    t('少用文件夹，多用链接', 'Fewer folders, more links'),
    t('一条笔记可以属于很多地方，文件夹只给它一个。', 'A note belongs in many places; a folder gives it one.'),
  ),
  a('news', 2, 44, t('4.1 版：支持鸿蒙平板', 'Version 4.1: HarmonyOS tablets'), t('手写笔、分屏和离线全部可用。', 'Pen, split screen and offline all work.')),
  a(
    'guide',
    6,
    47,
    t('手帐里的颜色应该有几种', 'How many colours does a journal need'),
    t('三种：要做的、做完的、值得记住的。', 'Three: to do, done and worth remembering.'),
  ),
  a(
    'guide',
    1,
    51,
    t('论文笔记的三层结构', 'Three layers of notes on a paper'),
    t('一句话结论、一段话方法、一页纸疑问。', 'A sentence of result, a paragraph of method, a page of doubts.'),
  ),
  a(
    'story',
    0,
    55,
    t('编辑部如何用云杉笔记开选题会', 'How our editors plan with Yunshan Notes'),
    t('一张表、三个视图、每周四十分钟。', 'One table, three views, forty minutes a week.'),
  ),
  a(
    'guide',
    3,
    59,
    t('备份：三份、两种介质、一份在别处', 'Backups: three copies, two media, one elsewhere'),
    t('自动备份设置一次，一年不用再管。', 'Set up once, then nothing to do for a year.'),
  ),
  a(
    'notice',
    2,
    63,
    t('隐私政策更新说明', 'What changed in the privacy policy'),
    t('我们删掉了两项不再收集的数据。', 'We removed two kinds of data that we no longer collect.'),
  ),
  a(
    'guide',
    1,
    67,
    t('五分钟上手', 'Up and running in five minutes'),
    t('新建、链接、搜索、同步，四个动作学完。', 'Create, link, search and sync: four actions and you are done.'),
  ),
  a('guide', 5, 72, t('怎样给标签起名字', 'How to name tags'), t('用名词，用单数，三个月清理一次。', 'Nouns, singular, cleaned up every three months.')),
  a(
    'news',
    2,
    77,
    t('4.0 版：重写的编辑器', 'Version 4.0: a new editor'),
    t('十万字的笔记打开不到一秒。', 'A note of a hundred thousand words opens within a second.'),
  ),
  a(
    'story',
    4,
    83,
    t('字体、行距和一页的呼吸', 'Type, leading and a page that breathes'),
    t('正文为什么是十六像素、一点七倍行距。', 'Why body text is sixteen pixels at 1.7 lines.'),
  ),
  a(
    'guide',
    3,
    88,
    t('把旧笔记搬过来', 'Bring your old notes along'),
    t('印象笔记、Notion 和纯文本的导入步骤。', 'Importing from Evernote, Notion and plain text.'),
  ),
  a('guide', 6, 94, t('每天写三行', 'Three lines a day'), t('写得少，才写得久。', 'Little enough to keep going.')),
];

const closing: Readonly<Record<Category, Bilingual>> = {
  guide: t(
    '做法很简单：先挑一条最近的笔记试一遍，再决定要不要改掉旧习惯。\n\n常见的误区是一开始就追求完整。先让它有用，再让它好看；每周留十分钟整理，比每年大扫除一次更有效。\n\n如果你有更好的办法，欢迎通过投稿表单告诉我们。',
    'The way in is simple: try it on one recent note, then decide whether to change an old habit.\n\nThe usual mistake is to want it complete from the start. Make it useful first and tidy later; ten minutes a week beat one big clean-up a year.\n\nIf you know a better way, tell us through the form for contributions.',
  ),
  story: t(
    '我们和当事人聊了一个下午，整理成这篇文章。文中的做法未必适合每个人，但背后的理由值得一读。\n\n看完之后，不妨打开自己的笔记，看看哪些习惯是自己选的，哪些只是一直没有改。',
    'We spent an afternoon talking and wrote down what we heard. Not every habit suits everybody, but the reasons are worth reading.\n\nAfterwards, open your own notes and see which habits you chose and which you never changed.',
  ),
  news: t(
    '新版本会在一周内推送到所有设备，也可以在下载页面手动更新。更新前会自动备份一次，退回旧版本不会丢失笔记。\n\n完整的改动见更新日志。遇到问题，请在帮助里附上版本号反馈。',
    'The new version reaches all devices within a week, or at once from the download page. A backup is made before the update, and going back loses no notes.\n\nThe changelog lists everything. If something breaks, report it from the help menu with your version number.',
  ),
  notice: t(
    '这条通知不需要你做任何事。有疑问可以通过联系页面找到我们，工作日四小时内回复。',
    'There is nothing you need to do. Reach us through the contact page with questions; on working days we answer within four hours.',
  ),
};

/** The long text of an article. */
export const bodyOf = ({ summary, category }: DemoArticle): Bilingual =>
  t(`${summary.zh}\n\n${closing[category].zh}`, `${summary.en}\n\n${closing[category].en}`);

export const tagsOf: Readonly<Record<Category, readonly Bilingual[]>> = {
  guide: [t('方法', 'methods'), t('效率', 'habits')],
  story: [t('人物', 'people')],
  news: [t('更新', 'releases')],
  notice: [t('公告', 'service')],
};
