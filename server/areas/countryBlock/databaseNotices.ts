import type { DatabaseProblem } from '../../../contract/countryBlock/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { notifyContacts } from '../contacts';
import type { NoticeMessage } from '../contacts';
import { notifyPeople, publishNotices } from '../notices';
import { databaseDayOf } from './diagnosis';
import { databaseProblem } from './prepareRule';
import * as queries from './queries';

type Messages = {
  readonly subject: (site: string) => string;
  readonly text: Readonly<Record<DatabaseProblem, string>>;
  readonly label: Readonly<Record<'site' | 'day', string>>;
  readonly action: string;
};

const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    subject: (site) => `${site}：国家/地区规则没有生效`,
    text: {
      no_database: '找不到国家/地区地址库，因此规则不起作用，不会拒绝任何访客。请让运维人员重新安装程序，或设置 COUNTRY_DATABASE。',
      database_old: '国家/地区地址库已超过 400 天，因此规则不起作用，不会拒绝任何访客。请让运维人员更新程序，或设置 COUNTRY_DATABASE。',
    },
    label: { site: '站点', day: '地址库日期' },
    action: '查看国家/地区规则',
  },
  en: {
    subject: (site) => `${site}: the country rule has no effect`,
    text: {
      no_database:
        'The database of countries is missing, so the rule does nothing and nobody is refused. Have the operator reinstall the program or set COUNTRY_DATABASE.',
      database_old:
        'The database of countries is older than 400 days, so the rule does nothing and nobody is refused. Have the operator update the program or set COUNTRY_DATABASE.',
    },
    label: { site: 'Site', day: 'Day of the database' },
    action: 'Open the country rule',
  },
};

const noticeOf =
  (ctx: Pick<Context, 'config'>, site: { readonly id: string; readonly name: string }, problem: DatabaseProblem, day: string | null) =>
  (locale: Locale): NoticeMessage => {
    const { subject, text, label, action } = messages[locale];
    return {
      subject: subject(site.name),
      paragraphs: [text[problem]],
      facts: [{ label: label.site, value: site.name }, ...(day === null ? [] : [{ label: label.day, value: day }])],
      action: { label: action, url: `${ctx.config.publicUrl}/site/${site.id}/setting/country_block` },
    };
  };

/** Notifies people of sites with a rule that the database of countries is missing or old, once until it works again. Runs hourly. */
export async function watchCountryDatabase(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const countries = ctx.countries.database();
  const problem = databaseProblem(countries, ctx.now());
  const sites = problem === null ? [] : await queries.sitesWithRules(db);
  // A rule that is switched off ends it for its site.
  await queries.endNotices(
    db,
    sites.map(({ id }) => id),
  );
  if (problem === null) return;
  for (const site of sites) {
    const people = await db.transaction(async (tx) => {
      if (!(await queries.takeNotice(tx, site.id, problem, new Date(ctx.now())))) return [];
      const message = noticeOf(ctx, site, problem, databaseDayOf(countries));
      await notifyContacts(ctx, tx, { topic: 'security', site, message });
      return notifyPeople(ctx, tx, { kind: 'country_block', siteId: site.id, message });
    });
    publishNotices(ctx, people);
  }
}
