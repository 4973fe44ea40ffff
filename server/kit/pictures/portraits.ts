import { circle, drawing, path, rect } from './drawing';

type Look = {
  readonly ground: readonly [string, string];
  readonly skin: string;
  readonly hair: string;
  readonly coat: string;
  readonly collar: string;
  readonly style: 'short' | 'bob' | 'bun' | 'long' | 'curly' | 'parted' | 'cap';
  readonly glasses?: true;
};

const hairBehind: Readonly<Partial<Record<Look['style'], string>>> = {
  bob: 'M170 250C160 120 440 120 430 250V370C430 392 400 400 384 388L216 388C200 400 170 392 170 370z',
  long: 'M168 260C150 110 450 110 432 260L450 520H150z',
};
const hairBefore: Readonly<Record<Look['style'], string>> = {
  short: 'M196 262C178 130 290 120 344 142C404 148 418 206 402 262C392 236 384 222 372 212C318 222 262 214 228 204C212 222 204 240 196 262z',
  bob: 'M192 280C186 116 414 116 408 280C398 236 372 212 330 200C290 232 222 226 192 280z',
  bun: 'M194 270C178 124 422 124 406 270C384 210 350 196 300 196S216 210 194 270z',
  long: 'M190 300C182 110 418 110 410 300C396 240 360 208 300 184C240 208 204 240 190 300z',
  curly:
    'M190 268C150 250 166 196 196 194C190 150 240 128 266 146C290 116 344 120 356 148C396 138 420 172 406 200C436 212 436 254 408 268C396 232 372 216 346 218C316 206 268 206 246 220C222 220 202 240 190 268z',
  parted: 'M194 272C176 138 424 134 406 272C400 228 372 206 344 188C316 216 236 214 216 224C204 236 198 252 194 272z',
  cap: 'M190 236C190 130 410 130 410 236z',
};

/** Head and shoulders in plain shapes, without a face. */
function portrait({ ground: [top, bottom], skin, hair, coat, collar, style, glasses }: Look): string {
  const behind = hairBehind[style];
  return [
    `<defs><linearGradient id="ground" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>`,
    rect(0, 0, 600, 600, 'url(#ground)'),
    circle(300, 300, 232, '#fff', 'opacity=".2"'),
    style === 'bun' ? circle(300, 128, 50, hair) : '',
    behind === undefined ? '' : path(behind, hair),
    path('M92 600C92 476 180 440 300 440S508 476 508 600z', coat),
    path('M254 330h92v104c0 52-92 52-92 0z', skin),
    path('M254 372c20 30 72 30 92 0v22c-24 34-68 34-92 0z', '#000', 'opacity=".1"'),
    path('M232 452L300 520L368 452L340 430C330 470 270 470 260 430z', collar),
    `<ellipse cx="300" cy="282" rx="96" ry="116" fill="${skin}"/>`,
    circle(204, 292, 20, skin) + circle(396, 292, 20, skin),
    path(hairBefore[style], hair),
    style === 'cap' ? path('M180 232h240c10 0 10 24 0 24H180c-10 0-10-24 0-24z', collar) : '',
    glasses
      ? '<g fill="none" stroke="#2b2b38" stroke-width="8"><circle cx="256" cy="290" r="34"/><circle cx="344" cy="290" r="34"/><path d="M290 286q10-8 20 0"/></g>'
      : '',
  ].join('');
}

const looks: readonly Look[] = [
  { ground: ['#c9e0d4', '#8fbfa8'], skin: '#f0c8a4', hair: '#2a2730', coat: '#1f4f47', collar: '#f6f3e6', style: 'parted', glasses: true },
  { ground: ['#f8dccb', '#eeb597'], skin: '#f5d0b0', hair: '#382a2e', coat: '#a2566a', collar: '#fdf0e6', style: 'long' },
  { ground: ['#cfe3f2', '#97bfdc'], skin: '#eabf98', hair: '#22242e', coat: '#24466c', collar: '#eef5fa', style: 'short' },
  { ground: ['#dcd7f0', '#aaa2d8'], skin: '#e3b48a', hair: '#2b2440', coat: '#3d3a78', collar: '#f3b45f', style: 'cap' },
  { ground: ['#fae9c4', '#efc777'], skin: '#f2caa6', hair: '#4a2f2a', coat: '#c25f3c', collar: '#fff6e2', style: 'bun' },
  { ground: ['#efd6e6', '#cfa1c4'], skin: '#f7d9c2', hair: '#c98b4a', coat: '#5d3a6b', collar: '#fbeef6', style: 'bob', glasses: true },
  { ground: ['#d6e8e6', '#93c2be'], skin: '#edc39c', hair: '#4b4650', coat: '#4a5b66', collar: '#f2f6f5', style: 'curly' },
];

/** Portraits of different people. */
export const portraits: readonly string[] = looks.map((look) => drawing(portrait(look), 480, [600, 600]));
