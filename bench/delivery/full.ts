import { FilingInput } from '../../contract/filings/schemas';
import { redirectPatternLimits } from '../../contract/publishing/redirectPattern';
import { CountryRule } from '../../contract/countryBlock/schemas';
import { installRule } from '../../server/areas/countryBlock';
import { hostnames } from '../../server/areas/hostnames/schema';
import { installFiling } from '../../server/areas/filings';
import { installRobots } from '../../server/areas/seo';
import type { Blog, DeliveringProgram } from '../../test/support/deliveredSite';

/** Redirects of the site: as many patterns as it may have, half of the others with a splat. */
const redirects = Array.from({ length: 10_000 }, (_, at) => {
  if (at < redirectPatternLimits.patterns) return { from: `~/(?:blog|news)-${String(at)}/(\\d{4})/(.+)`, to: '/blog/$2', status: 301 };
  return at % 2 === 0
    ? { from: `/old/${String(at)}`, to: `/blog/post-${String(at % 60)}`, status: 301 }
    : { from: `/archive-${String(at)}/*`, to: '/blog/:splat', status: 301 };
});

/** Filings belong to domains, so that the site has one. */
export const fullHost = 'tea-bench.example';

/** Switches on everything that acts on a live site: country rule, offer of the other language, numbers of filings, redirects, SEO, robots.txt. Its next release has it. */
export async function switchEverythingOn({ ctx, owner }: DeliveringProgram, blog: Blog): Promise<void> {
  const { site } = blog;
  const now = new Date(ctx.now());
  const host = { siteId: site.id, host: fullHost, apex: fullHost, role: 'primary' as const, token: '0'.repeat(32) };
  await ctx.postgres.db.insert(hostnames).values({ ...host, contested: false, ownership: 'verified', activeAt: now, createdAt: now });
  ctx.live.publish({ type: 'hostnames', siteId: site.id });
  await blog.setPart('languages', { languages: ['zh-Hans', 'en'], suggestion: 'banner' });
  await blog.setPart('redirects', redirects);
  await blog.setPart('seo', {
    templates: [{ kind: 'record', title: { 'zh-Hans': '{title} {sep} {site}' } }],
    overrides: Array.from({ length: 200 }, (_, at) => ({ path: `/blog/post-${String(at)}`, description: { 'zh-Hans': `第 ${String(at)} 篇` } })),
    indexing: [{ pattern: '/archive*', indexing: 'noindex' }],
    entities: [{ collection: 'posts', type: 'Article', properties: {} }],
    agents: { llms: 'auto' },
  });
  await installRobots(ctx, site.id, owner.userId, 'User-agent: *\nDisallow: /search\n');
  await installRule(
    ctx,
    site.id,
    owner.userId,
    CountryRule.parse({
      enabled: true,
      mode: 'deny_listed',
      countries: ['DE', 'FR', 'KR', 'US'],
      action: 'block',
      openPaths: ['/feed.xml', '/about*'],
      openNetworks: Array.from({ length: 200 }, (_, at) => ({ network: `203.0.${String(at)}.0/24` })),
    }),
  );
  const shared = { province: 'BJ', serviceName: '茶铺', domains: [fullHost], approvedOn: '2026-01-05' };
  await installFiling(ctx, site.id, owner.userId, FilingInput.parse({ ...shared, kind: 'icp', number: '京ICP备00000000号-1' }));
  await installFiling(ctx, site.id, owner.userId, FilingInput.parse({ ...shared, kind: 'mps', number: '京公网安备11000002000001号' }));
}
