import { readProofs } from '../areas/seo';
import type { SiteProofs } from '../areas/seo';
import type { Context } from '../context';
import { escapeHtml } from '../kit/text/escapeHtml';
import { openSiteCache } from './siteCache';
import type { SiteCache } from './siteCache';

/** `head`: the meta elements for the head of every page. */
export type DeliveredProofs = Pick<SiteProofs, 'files'> & { readonly head: string };
/** Proofs of ownership of sites. */
export type Proofs = SiteCache<DeliveredProofs>;

/** A site has at most some hundred kB. */
const mostSites = 500;

const headOf = ({ metas }: SiteProofs): string =>
  metas.map(({ name, content }) => `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}">`).join('\n');

export const openProofs = (ctx: Context): Proofs =>
  openSiteCache(ctx, {
    name: 'proofs of ownership',
    event: 'seo',
    mostSites,
    async read(siteId) {
      const proofs = await readProofs(ctx, siteId);
      return { files: proofs.files, head: headOf(proofs) };
    },
  });
