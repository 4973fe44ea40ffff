import type { CompiledRelease } from '../release';

/** Lines of robots.txt that refuse programs of AI services: one group for all of them; empty if none is refused. */
export function refusedAgents({ seo }: Pick<CompiledRelease, 'seo'>): string {
  const { refused } = seo.agents;
  return refused.length === 0 ? '' : `${refused.map((agent) => `User-agent: ${agent}\n`).join('')}Disallow: /\n\n`;
}
