/** SHA-256 of ASCII texts. Browsers offer theirs over https only, and one call for each number would be slower. */

const constants: number[] = [];
const initial: number[] = [];
const fraction = (value: number): number => ((value - Math.floor(value)) * 4_294_967_296) | 0;
const isPrime = (number: number): boolean => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
};
for (let number = 2; constants.length < 64; number++) {
  if (!isPrime(number)) continue;
  if (initial.length < 8) initial.push(fraction(number ** (1 / 2)));
  constants.push(fraction(Math.cbrt(number)));
}

const schedule = new Int32Array(64);
const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

function mix(state: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = at(schedule, i - 15);
    const y = at(schedule, i - 2);
    schedule[i] = (at(schedule, i - 16) + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + at(schedule, i - 7) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, last = 0] = state;
  for (let i = 0; i < 64; i++) {
    const one = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    last = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, last].forEach((value, index) => void (state[index] = (at(state, index) + value) | 0));
}

/** The first 32 bits. */
export function firstWordOf(text: string): number {
  const state = Int32Array.from(initial);
  const { length } = text;
  const blocks = ((length + 8) >> 6) + 1;
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) {
      let word = 0;
      for (let byte = 0; byte < 4; byte++) {
        const index = block * 64 + i * 4 + byte;
        word = (word << 8) | (index < length ? text.charCodeAt(index) : index === length ? 128 : 0);
      }
      schedule[i] = word;
    }
    if (block === blocks - 1) schedule[15] = length * 8;
    mix(state);
  }
  return at(state, 0) >>> 0;
}

/** A number with which the SHA-256 of the task begins with `bits` zero bits; works in steps, so that the page stays responsive. */
export async function solveTask(task: string, bits: number): Promise<number> {
  for (let number = 0; ; number++) {
    if (firstWordOf(`${task}.${number}`) >>> (32 - bits) === 0) return number;
    if (number % 2000 === 1999) await new Promise((resolve) => setTimeout(resolve));
  }
}
