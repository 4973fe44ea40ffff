import { randomFrom } from '../../../kit/random';
import type { Bilingual } from '../records';
import { arcs, devices, grid, halves, labels, orbits, search } from '../../../kit/pictures/abstracts';
import { drawing, palettes } from '../../../kit/pictures/drawing';
import type { Motif } from '../../../kit/pictures/drawing';
import { city, contours, forest, hills, lake, road, sea } from '../../../kit/pictures/landscapes';
import { books, boxes, cards, desk, fruit, nightWindow } from '../../../kit/pictures/stillLifes';

export type Cover = { readonly name: string; readonly alt: Bilingual | null; readonly genre: 'landscape' | 'still' | 'graphic'; readonly svg: () => string };
type Painter = (motif: Motif, palette: keyof typeof palettes, name: string, zh: string, en: string) => Cover;

const landscapes: ReadonlySet<Motif> = new Set([city, contours, forest, hills, lake, road, sea]);
const stillLifes: ReadonlySet<Motif> = new Set([books, boxes, cards, desk, fruit, nightWindow]);
/** Pixels of the width: enough for cards on sharp screens, and quickly drawn. */
const pixels = 960;

/** A cover is drawn when it is stored: the name seeds its details. */
const paint: Painter = (motif, palette, name, zh, en) => ({
  name: `${name}.jpg`,
  alt: { zh, en },
  genre: landscapes.has(motif) ? 'landscape' : stillLifes.has(motif) ? 'still' : 'graphic',
  svg: () => drawing(motif(palettes[palette], randomFrom(name)), pixels),
});

/** Covers of the articles, in their order; null for articles without one. */
export const covers: readonly (Cover | null)[] = [
  paint(books, 'dawn', 'old-notebooks', '三层书架上排着旧笔记本，暖色调', 'Old notebooks on three shelves, in warm colours'),
  paint(desk, 'sea', 'meeting-notes', '桌上摊开的本子、钢笔和一杯热茶', 'An open notebook, a pen and a cup of hot tea on a desk'),
  paint(grid, 'sea', 'sorted-columns', '一张表格，其中一列被抬起高亮', 'A table with one column lifted and highlighted'),
  null,
  paint(books, 'spruce', 'bookshelf', '摆满书的绿色书架，旁边放着盆栽', 'Green bookshelves full of books, with potted plants'),
  paint(lake, 'spruce', 'mountain-lake', '雪山倒映在平静的湖面上', 'Snowy mountains mirrored in a still lake'),
  paint(grid, 'dawn', 'markdown-table', '整齐排列的单元格，橙色的一列最醒目', 'Rows of cells, one orange column standing out'),
  null,
  paint(orbits, 'dawn', 'two-devices', '两份笔记沿圆环互相追赶', 'Two notes chasing each other around a ring'),
  paint(road, 'plum', 'winding-road', '蜿蜒通向山谷的路，每个弯都有路标', 'A winding road into a valley with a sign at each bend'),
  paint(cards, 'sand', 'index-cards', '五张卡片用细线互相连接', 'Five index cards linked by threads'),
  paint(desk, 'sand', 'paper-and-pen', '夕阳下书桌上的纸和笔', 'Paper and pen on a desk at sunset'),
  paint(contours, 'spruce', 'route-map', '等高线地图上的一条橙色路线', 'An orange route across a map with contour lines'),
  paint(orbits, 'plum', 'two-versions', '同一页笔记的两个版本彼此环绕', 'Two versions of one note circling each other'),
  paint(nightWindow, 'night', 'night-window', '夜里的窗、月亮和一盏亮着的灯', 'A window at night, the moon and a lit lamp'),
  paint(fruit, 'plum', 'sunday-table', '桌上的花瓶、梨和一碗水果', 'A vase, pears and a bowl of fruit on a table'),
  null,
  paint(search, 'spruce', 'magnifier', '放大镜下的文字，关键词被标出', 'Text under a magnifying glass, with matches highlighted'),
  paint(halves, 'night', 'day-and-night', '同一个界面，一半浅色、一半深色', 'One screen, half light and half dark'),
  paint(cards, 'night', 'linked-notes', '深蓝背景上相互连线的笔记卡片', 'Linked note cards on a dark blue ground'),
  paint(devices, 'night', 'three-screens', '电脑、平板和手机上打开的同一篇笔记', 'One note open on a laptop, a tablet and a phone'),
  paint(arcs, 'sand', 'colour-tiles', '由圆弧和色块拼成的图案', 'A pattern of arcs and coloured tiles'),
  paint(hills, 'plum', 'three-ranges', '层层叠叠的紫色山峦', 'Purple ranges of hills, one behind the other'),
  paint(city, 'dawn', 'editorial-office', '清晨的城市天际线，窗口亮着灯', 'A city skyline in the morning with lit windows'),
  paint(boxes, 'sea', 'three-boxes', '码放整齐的箱子和飞过的纸飞机', 'Stacked boxes and a paper plane passing'),
  null,
  paint(sea, 'dawn', 'first-sail', '朝霞里的一艘小帆船', 'A small sailing boat at dawn'),
  paint(labels, 'plum', 'hanging-tags', '挂在绳上的一排标签', 'A row of tags hanging from a string'),
  paint(devices, 'sea', 'new-editor', '多种屏幕上的新编辑器', 'The new editor on screens of several sizes'),
  paint(sea, 'sea', 'calm-water', '平静的海面与远处的帆', 'Calm water and a sail in the distance'),
  paint(boxes, 'sand', 'moving-day', '搬家的纸箱，夕阳在窗外', 'Moving boxes in front of a setting sun'),
  paint(hills, 'dawn', 'morning-hills', '晨雾中的山丘和云杉', 'Hills and spruces in the morning mist'),
];

/** Pictures that nothing uses; the second has no alternative text yet. */
export const wallpapers: readonly Cover[] = [
  paint(forest, 'night', 'wallpaper-forest', '星空下的云杉林', 'A spruce forest under the stars'),
  { ...paint(lake, 'sand', 'wallpaper-lake', '', ''), alt: null },
];
