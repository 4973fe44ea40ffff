/** Colours are CSS variables of the theme, so that a scheme change needs no redraw. The first line has the accent colour. */
export const lineColours: readonly string[] = ['var(--chart-accent)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];
export const lineColour = (index: number): string => lineColours[index % lineColours.length] as string;
export const muted = 'var(--chart-muted)';
export const grid = 'var(--chart-grid)';
