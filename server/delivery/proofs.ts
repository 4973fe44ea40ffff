import { readProofs } from '../areas/seo';
import type { SiteProofs } from '../areas/seo';
import type { Context } from '../context';
import { escapeHtml } from './pages';

/** Proofs of ownership of sites in memory. */
export type Proofs = {
  readonly of: (siteId: string) => Promise<DeliveredProofs>;
  readonly close: () => void;
};
/** `head`: the meta elements for the head of every page. */
export type DeliveredProofs = Pick<SiteProofs, 'files'> & { readonly head: string };

type Entry = { readonly proofs: Promise<DeliveredProofs>; readonly readAt: number };

/** In case an event was lost. */
const refreshEvery = 60_000;
/** After a failure, so that pages do not wait for PostgreSQL one after the other. */
const retryAfter = 5000;
/** Sites in memory; those that were requested least recently go first. A site has at most some hundred kB. */
const mostSites = 500;

const headOf = ({ metas }: SiteProofs): string =>
  metas.map(({ name, content }) => `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}">`).join('\n');

/** Reads the proofs of a site once, and again when they have changed. */
export function openProofs(ctx: Context): Proofs {
  const entries = new Map<string, Entry>();

  async function read(siteId: string, known: Entry | undefined): Promise<DeliveredProofs> {
    try {
      const proofs = await readProofs(ctx, siteId);
      return { files: proofs.files, head: headOf(proofs) };
    } catch (error) {
      if (known === undefined) {
        entries.delete(siteId);
        throw error;
      }
      entries.set(siteId, { proofs: known.proofs, readAt: ctx.now() - refreshEvery + retryAfter });
      ctx.log.warn('Proofs of ownership could not be read; those read before stay in use', { siteId, error });
      return known.proofs;
    }
  }

  const stop = ctx.live.subscribe((event) => {
    if (event.type === 'seo') entries.delete(event.siteId);
  });
  return {
    of(siteId) {
      const known = entries.get(siteId);
      const isFresh = known !== undefined && ctx.now() - known.readAt < refreshEvery;
      const entry: Entry = isFresh ? known : { proofs: read(siteId, known), readAt: ctx.now() };
      entries.delete(siteId);
      entries.set(siteId, entry);
      const [oldest] = entries.keys();
      if (entries.size > mostSites && oldest !== undefined) entries.delete(oldest);
      return entry.proofs;
    },
    close: stop,
  };
}
