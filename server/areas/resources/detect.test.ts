import sharp from 'sharp';
import { detectType } from './detect';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const image = sharp({ create: { width: 2, height: 2, channels: 3, background: '#f00' } });

test.each(['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)('an image is recognised by its content: %s', async (format) => {
  expect(await detectType(await image.clone().toFormat(format).toBuffer())).toEqual({ kind: 'image', contentType: `image/${format}` });
});

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>'],
  ['\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n<svg>'],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY a "b">]><svg viewBox="0 0 1 1">'],
])('an SVG is recognised by its first element: %j', async (text) => {
  expect(await detectType(bytes(text))).toEqual({ kind: 'svg', contentType: 'image/svg+xml' });
});

test.each([['<!---->'], ['<!DOCTYPE svg>'], ['<?xml?>'], ['<!DOCTYPE svg [']])('a prologue repeated many times is read in linear time: %s', async (part) => {
  const start = performance.now();
  expect(await detectType(bytes(`${part.repeat(Math.floor(65_000 / part.length))}x`))).toMatchObject({ contentType: 'text/plain' });
  expect(performance.now() - start).toBeLessThan(2000);
});

test.each([['<html><script>alert(1)</script>'], ['<!doctype html><svg onload=alert(1)>'], ['plain text'], ['茶叶，水温'], ['{"a":1}']])(
  'text is never more than plain text: %j',
  async (text) => {
    expect(await detectType(bytes(text))).toEqual({ kind: 'attachment', contentType: 'text/plain' });
  },
);

test.each([[Buffer.from([0xb2, 0xe8, 0xd2, 0xb6, 0x2c, 0x31, 0x0a])], [Buffer.from('\uFEFFtea,茶', 'utf16le')]])(
  'text in the encodings of spreadsheets is text',
  async (content) => {
    expect(await detectType(content)).toEqual({ kind: 'attachment', contentType: 'text/plain' });
  },
);

test('a character cut at the end of the first bytes leaves it a text', async () => {
  expect(await detectType(Buffer.from('茶叶').subarray(0, 5))).toEqual({ kind: 'attachment', contentType: 'text/plain' });
});

test('unknown content and an empty file can only be downloaded', async () => {
  expect(await detectType(Uint8Array.of(0, 1, 2, 3))).toEqual({ kind: 'attachment', contentType: 'application/octet-stream' });
  expect(await detectType(new Uint8Array())).toEqual({ kind: 'attachment', contentType: 'application/octet-stream' });
});

test.each([Buffer.from([0x25, 0xe2, 0xe3, 0xcf, 0xd3]), Buffer.from('1 0 obj')])('a PDF keeps its type, with binary content or without', async (content) => {
  expect(await detectType(Buffer.concat([Buffer.from('%PDF-1.7\n'), content]))).toEqual({
    kind: 'attachment',
    contentType: 'application/pdf',
  });
});
