import { createHash } from 'node:crypto';
import type { Context } from '../../context';
import { ImagesBusy } from '../../kit/images/imageProcess';
import { notoGlyphs } from '../../kit/text/notoSans';
import { RenderingBusy } from '../../kit/templates/renderPool';
import type { Globals } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import type { PageContext } from '../edition';
import { pathIn } from '../paths';
import { canDraw, cardSize, cardSvg } from './cardDrawing';
import type { CardTexts } from './cardDrawing';

/** Changes with the drawing, so that cards that were drawn before get another address. */
const version = 1;
/** Titles are cut after four lines anyway. */
const longestTitle = 300;
/** Cards in memory, in bytes, and cards that are drawn at a time. */
const mostBytes = 16 * 1024 ** 2;
const mostDrawing = 4;
const defaultColor = '#424242';

/** What a page's card shows, with its address; null if it has none. `title`: of the page alone. */
export function drawnCard(
  context: PageContext,
  facts: PageFacts,
  { settings, site }: Pick<Globals, 'settings' | 'site'>,
  title: string,
): { readonly texts: CardTexts; readonly path: string } | null {
  const { release, preview } = context;
  if (!release.seo.social.drawn || preview || facts.kind === 'not_found' || facts.kind === 'search') return null;
  const colorKey = release.theme?.manifest.settings.find(({ type }) => type === 'color')?.key;
  const color = colorKey === undefined ? null : settings[colorKey];
  const texts = { title: title.slice(0, longestTitle), site: site.title, color: typeof color === 'string' ? color : defaultColor };
  if (!canDraw(texts.title) || !canDraw(texts.site)) return null;
  const hash = createHash('sha256')
    .update(JSON.stringify([version, texts]))
    .digest('hex')
    .slice(0, 16);
  return { texts, path: `/_card/${hash}${pathIn({ ...context, root: '' }, facts.path, context.language)}.png` };
}

export type DrawnCards = {
  /** A card in memory by its site and path. */
  readonly stored: (siteId: string, path: string) => Buffer | null;
  /** Draws a card, once for all requests that wait for it. Throws `RenderingBusy` if too many are drawn. */
  readonly draw: (siteId: string, path: string, texts: CardTexts) => Promise<Buffer>;
};

/** Draws cards as PNG, and has the ones that were requested last in memory. */
export function createDrawnCards(ctx: Pick<Context, 'images'>): DrawnCards {
  const cards = new Map<string, Buffer>();
  const drawing = new Map<string, Promise<Buffer>>();
  let bytes = 0;

  async function drawn(key: string, texts: CardTexts): Promise<Buffer> {
    try {
      const svg = cardSvg(texts, await notoGlyphs([texts.title, texts.site, '…'], 500));
      const { data } = await ctx.images.variant(Buffer.from(svg), {
        ...cardSize,
        fit: 'inside',
        focalX: 0.5,
        focalY: 0.5,
        rotation: 0,
        crop: null,
        format: 'png',
        isDrawing: true,
      });
      const card = Buffer.from(data);
      cards.set(key, card);
      bytes += card.length;
      for (const [oldest, { length }] of cards) {
        if (bytes <= mostBytes) break;
        cards.delete(oldest);
        bytes -= length;
      }
      return card;
    } catch (error) {
      if (error instanceof ImagesBusy) throw new RenderingBusy();
      throw error;
    } finally {
      drawing.delete(key);
    }
  }
  const keyOf = (siteId: string, path: string): string => `${siteId} ${path}`;
  return {
    stored(siteId, path) {
      const key = keyOf(siteId, path);
      const card = cards.get(key);
      if (!card) return null;
      cards.delete(key);
      cards.set(key, card);
      return card;
    },
    draw(siteId, path, texts) {
      const key = keyOf(siteId, path);
      const known = drawing.get(key);
      if (known) return known;
      if (drawing.size >= mostDrawing) return Promise.reject(new RenderingBusy());
      const work = drawn(key, texts);
      drawing.set(key, work);
      return work;
    },
  };
}
