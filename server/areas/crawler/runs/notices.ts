import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import type { NoticeMessage } from '../../contacts';
import type { CrawlerRecord, RunRecord } from './queries';

type Messages = {
  readonly completed: (crawler: string) => string;
  readonly limited: (crawler: string) => string;
  readonly failed: (crawler: string) => string;
  readonly newErrors: (crawler: string, errors: number) => string;
  readonly text: (site: string, run: number) => string;
  readonly label: Readonly<Record<'pages' | 'score' | 'found' | 'errors' | 'fixed', string>>;
  readonly action: string;
};

const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    completed: (crawler) => `${crawler} 已抓取完成`,
    limited: (crawler) => `${crawler} 达到上限，已结束`,
    failed: (crawler) => `${crawler} 运行失败`,
    newErrors: (crawler, errors) => `${crawler} 发现 ${errors} 个新错误`,
    text: (site, run) => `站点 ${site}，第 ${run} 次运行。`,
    label: { pages: '页面', score: '得分', found: '新问题', errors: '其中错误', fixed: '已修复' },
    action: '查看结果',
  },
  en: {
    completed: (crawler) => `${crawler} has finished`,
    limited: (crawler) => `${crawler} ended at one of its limits`,
    failed: (crawler) => `${crawler} failed`,
    newErrors: (crawler, errors) => (errors === 1 ? `${crawler} found a new error` : `${crawler} found ${errors} new errors`),
    text: (site, run) => `Site ${site}, run ${run}.`,
    label: { pages: 'Pages', score: 'Score', found: 'New issues', errors: 'Errors among them', fixed: 'Fixed' },
    action: 'Show results',
  },
};

type Ended = {
  readonly site: { readonly name: string };
  readonly crawler: Pick<CrawlerRecord, 'id' | 'name'>;
  readonly run: RunRecord;
  readonly found: number;
  readonly errors: number;
  readonly fixed: number;
};

/** The notice about a run that has ended, in one language. */
export const runNotice =
  (ctx: Pick<Context, 'config'>, { site, crawler, run, found, errors, fixed }: Ended) =>
  (locale: Locale): NoticeMessage => {
    const { text, label, action, ...subject } = messages[locale];
    const state = run.state === 'failed' || run.state === 'limited' ? run.state : 'completed';
    const facts = [
      { label: label.pages, value: String(run.counters.pages) },
      ...(run.score === null ? [] : [{ label: label.score, value: String(Math.round(run.score)) }]),
      { label: label.found, value: String(found) },
      { label: label.errors, value: String(errors) },
      { label: label.fixed, value: String(fixed) },
    ];
    return {
      subject: errors > 0 && run.number > 1 && state !== 'failed' ? subject.newErrors(crawler.name, errors) : subject[state](crawler.name),
      paragraphs: [text(site.name, run.number)],
      facts,
      action: { label: action, url: `${ctx.config.publicUrl}/developer/crawler/${crawler.id}?run=${run.id}` },
    };
  };
