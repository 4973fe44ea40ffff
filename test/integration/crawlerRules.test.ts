import { jest } from '@jest/globals';
import { ruleIds } from '../../contract/crawler/rules';
import { openIssuesOfPage } from '../../server/areas/crawler';
import { auditRun, reauditRun } from '../../server/areas/crawler/rules';
import { crawlerWorker, enqueueRun } from '../../server/areas/crawler/engine';
import { hostnames } from '../../server/areas/hostnames/schema';
import { makeTestApp } from '../support/app';
import { wrongCounts } from '../support/crawlCounts';
import type { TestApp } from '../support/app';
import { addCrawler, testAudit, untilState } from '../support/crawlSite';
import { clickDepths } from '../support/clickDepths';
import { authorityFile, startFaultySite } from '../support/faultySite/server';
import type { FaultySite } from '../support/faultySite/server';
import { thorough } from '../support/thorough';

jest.setTimeout(thorough ? 900_000 : 120_000);
const size = thorough ? 25_000 : 900;
/** Decides which pages have which problem; a run with another one is another site. */
const seed = process.env['TEST_SEED'] ?? 'tea';

let t: TestApp;
let siteId: string;
let local: FaultySite;
let worker: ReturnType<ReturnType<typeof crawlerWorker>>;
let crawlerId: string;
/** What no server on this machine can show: rows as the engine writes them. */
let beforeAudit: (runId: string) => Promise<void> = () => Promise.resolve();
const query = async <T extends object>(text: string, ...values: unknown[]): Promise<T[]> => (await t.ctx.postgres.pool.query<T>(text, values)).rows;

beforeAll(async () => {
  process.env['NODE_EXTRA_CA_CERTS'] = authorityFile;
  t = await makeTestApp({ config: { privateSites: true } });
  siteId = (await t.makeSite(await t.signUpOwner())).id;
  const proof = { siteId, role: 'serve', token: '0'.repeat(32), contested: false, ownership: 'verified', createdAt: new Date(t.ctx.now()) } as const;
  await t.ctx.postgres.db.insert(hostnames).values(['127.0.0.1', '127.0.0.2', '127.0.0.3'].map((host) => ({ ...proof, host, apex: host })));
  local = await startFaultySite(size, seed);
  const audit = {
    ...testAudit,
    auditRun: async (...[ctx, runId, options]: Parameters<typeof auditRun>) => {
      await beforeAudit(runId);
      return auditRun(ctx, runId, options);
    },
  };
  worker = crawlerWorker(audit, { pollEvery: 30, leaseFor: 3000 })(t.ctx);
  const config = { enabled: true };
  crawlerId = await addCrawler(t.ctx, siteId, [`${local.origin}/`], (usual) => ({
    limits: { ...usual.limits, pages: size + 500, familyPercent: 100 },
    politeness: { connections: thorough ? 8 : 32, requestsPerSecond: thorough ? 2000 : 200, obeyRobots: true },
    audit: {
      rules: {
        http_slow: { ...config, parameters: { milliseconds: 4000 } },
        redirect_temporary: { ...config, parameters: { runs: 2 } },
        link_weak: { ...config, parameters: { percent: 50 } },
      },
    },
  }));
});
afterAll(async () => {
  await worker.close();
  await local.close();
  await t.close();
});

const crawl = async (id: string) => {
  const run = await enqueueRun(t.ctx, id, { trigger: 'manual', who: null });
  return untilState(t.ctx, run.id, ['completed', 'limited', 'failed', 'stopped'], thorough ? 800_000 : 90_000);
};

/** `rule path`, or `rule subject` of what belongs to no address. */
async function findingsOf(runId: string, origin = local.origin): Promise<string[]> {
  const rows = await query<{ rule: string; url: string | null; detail: Record<string, string> }>(
    `SELECT i.rule, u.url, f.detail FROM crawl_findings f JOIN crawl_issues i ON i.id = f.issue_id LEFT JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id WHERE f.run_id = $1`,
    runId,
  );
  return rows.map(({ rule, url, detail }) => `${rule} ${(url ?? `* ${detail['url'] ?? ''}`).replace(origin, '').trim()}`).sort();
}
const moment = (): string => new Date(t.ctx.now()).toISOString().replace('T', ' ').replace('Z', '');
const visit = (path: string, id: number) => ({
  site_id: siteId,
  visit_id: String(id),
  version: '1',
  visitor_id: String(id),
  start: moment(),
  view_host: ['127.0.0.1'],
  view_path: [path],
});
/** What belongs to no page. */
const siteWide = [
  'redirect_insecure *',
  'security_certificate *',
  'security_hsts *',
  'sitemap_invalid * /broken.xml',
  'link_orphan /unknown',
  'robots_unreachable *',
  'trap_family *',
  'vitals_poor *',
  'vitals_poor /f/weak',
];
const changes = ['change_title', 'change_indexing', 'change_gone', 'redirect_temporary', 'link_external_broken', 'sitemap_lastmod'];
const found = new Set<string>();

test('finds every planted problem and no other', async () => {
  await t.ctx.clickhouse.insert('visits', [
    ...Array.from({ length: 20 }, (_, at) => visit('/f/weak', at + 1)),
    ...Array.from({ length: 12 }, (_, at) => visit('/unknown', at + 100)),
  ]);
  const measured = { site_id: siteId, host: '127.0.0.1', family: '/p/{number}', path: '/p/1', version: '1', at: moment() };
  const values = [
    ...Array.from({ length: 80 }, () => ['lcp', 6000]),
    ...Array.from({ length: 80 }, () => ['inp', 100]),
    ...Array.from({ length: 70 }, () => ['cls', 1]),
  ];
  await t.ctx.clickhouse.insert('web_vitals', [
    ...values.map(([metric, value], at) => ({ ...measured, metric, value, metric_id: String(at), view_id: String(at) })),
    ...Array.from({ length: 80 }, (_, at) => ({
      ...measured,
      family: '/f/weak',
      metric: 'lcp',
      value: 6000,
      metric_id: String(at + 1000),
      view_id: String(at + 1000),
    })),
  ]);
  const { host } = new URL(local.origin);
  beforeAudit = async (runId) => {
    await query(
      `UPDATE crawl_runs SET observations = jsonb_set(observations, '{hosts}', (observations->'hosts') || $2::jsonb) WHERE id = $1`,
      runId,
      JSON.stringify([
        { host, insecure: { status: 200, location: null } },
        { host: 'old.example', certificate: { validTo: new Date(t.ctx.now() + 3 * 86_400_000).toISOString(), protocol: 'TLSv1.3', error: null } },
      ]),
    );
    await query(`INSERT INTO crawl_families VALUES ($1, $2, '/calendar?day', 500, 90, 'paused', 'novelty') ON CONFLICT DO NOTHING`, runId, host);
    await query(
      `INSERT INTO crawl_robots (run_id, origin, status, body, failures, fetched_at) VALUES ($1, $2, 503, '', 1, now()) ON CONFLICT DO NOTHING`,
      runId,
      `http://${host}`,
    );
  };
  const run = await crawl(crawlerId);
  expect([run.state, run.reason]).toEqual(['completed', null]);
  const findings = await findingsOf(run.id);
  expect(findings).toEqual([...local.truth(), ...siteWide].sort());
  for (const finding of findings) found.add(finding.split(' ', 1)[0] ?? '');
  const depths = await clickDepths(t.ctx, run.id);
  expect(depths.stored).toEqual(depths.true);
  // Those of the sitemap, which the crawl meets before any link to them.
  expect(depths.corrected).toBeGreaterThan(20);
});

test('finds what changed between two runs, and closes what is gone', async () => {
  local.change();
  const run = await crawl(crawlerId);
  const findings = await findingsOf(run.id);
  expect(findings).toEqual([...local.truth(), ...siteWide, 'sitemap_lastmod *'].sort());
  for (const finding of findings) found.add(finding.split(' ', 1)[0] ?? '');
  const states = await query<{ rule: string; state: string }>(
    'SELECT rule, state FROM crawl_issues WHERE crawler_id = $1 AND first_run = 2 ORDER BY rule',
    crawlerId,
  );
  expect([...new Set(states.map(({ state }) => state))]).toEqual(['open']);
  expect(states.map(({ rule }) => rule)).toEqual(expect.arrayContaining(changes));
});

test('finds what is wrong with hosts, and nothing at a Chinese page without problems', async () => {
  beforeAudit = () => Promise.resolve();
  const run = await crawl(await addCrawler(t.ctx, siteId, [`${local.otherOrigin}/`]));
  const headers = ['security_csp *', 'security_frame *', 'security_nosniff *', 'security_referrer *'];
  const findings = await findingsOf(run.id, local.otherOrigin);
  expect(findings).toEqual([...headers, 'agents_llms *', 'robots_problem *', 'security_cookie *', 'security_leak *', 'sitemap_missing *'].sort());
  const chinese = await crawl(await addCrawler(t.ctx, siteId, [`${local.chineseOrigin}/`]));
  const others = await findingsOf(chinese.id, local.chineseOrigin);
  expect(others).toEqual(['agents_bots *', 'sitemap_baidu * /maps.xml']);
  for (const finding of [...findings, ...others]) found.add(finding.split(' ', 1)[0] ?? '');
  // Nobody waits a minute for a response here; the rule has a unit test.
  expect(ruleIds.filter((id) => !found.has(id))).toEqual(['http_timeout']);
});

test('evaluates changed rules over what is stored, without a request', async () => {
  const setThin = (units: number) =>
    query(
      `UPDATE crawlers SET config = jsonb_set(config, '{audit,rules,content_thin}', jsonb_build_object('enabled', true, 'parameters', jsonb_build_object('units', $2::int))) WHERE id = $1`,
      crawlerId,
      units,
    );
  const [run] = await query<{ id: string }>('SELECT id FROM crawl_runs WHERE crawler_id = $1 ORDER BY number DESC LIMIT 1', crawlerId);
  const before = await findingsOf(run?.id ?? '');
  await setThin(5000);
  await expect(reauditRun(t.ctx, run?.id ?? '', () => Promise.reject(new Error('cancelled')))).rejects.toThrow('cancelled');
  expect(await wrongCounts(t)).toEqual([]);
  await setThin(20);
  await reauditRun(t.ctx, run?.id ?? '');
  expect(await findingsOf(run?.id ?? '')).toEqual(before.filter((one) => !one.startsWith('content_thin ')));
  expect(await query('SELECT DISTINCT state, fixed_run FROM crawl_issues WHERE crawler_id = $1 AND rule = $2', crawlerId, 'content_thin')).toEqual([
    { state: 'fixed', fixed_run: 2 },
  ]);
});

test('stored counts of issues are those of the issues', async () => {
  expect(await wrongCounts(t)).toEqual([]);
});

test('a problem that two crawlers find at a page is one problem', async () => {
  const [page] = await query<{ url: string }>(
    `SELECT u.url FROM crawl_issues i JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id WHERE i.crawler_id = $1 AND i.state = 'open' LIMIT 1`,
    crawlerId,
  );
  const before = await openIssuesOfPage(t.ctx, siteId, page?.url ?? '');
  expect(before).not.toEqual([]);
  await query(
    `INSERT INTO crawl_issues (crawler_id, site_id, rule, url_id, fingerprint, state, severity, detail, first_run, last_run, impact, changed_at)
     SELECT (SELECT id FROM crawlers WHERE id <> $1 LIMIT 1), site_id, rule, url_id, fingerprint, state, severity, detail, first_run, last_run, impact, changed_at
     FROM crawl_issues WHERE crawler_id = $1 ON CONFLICT DO NOTHING`,
    crawlerId,
  );
  expect(await openIssuesOfPage(t.ctx, siteId, page?.url ?? '')).toEqual(before);
});
