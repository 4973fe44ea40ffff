import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { themeLimits } from '../../../../contract/publishing/theme';
import { packTheme, unpackTheme } from './zip';

type Files = Readonly<Record<string, string | Buffer>>;
async function archiveOf(files: Files, mode?: number): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, mode === undefined ? {} : { mode });
  zip.end();
  return buffer(zip.outputStream);
}
const codes = async (archive: Buffer): Promise<string[]> => {
  const unpacked = await unpackTheme(archive);
  return 'problems' in unpacked ? unpacked.problems.map(({ code }) => code) : [];
};
const names = async (archive: Buffer): Promise<string[]> => {
  const unpacked = await unpackTheme(archive);
  return 'files' in unpacked ? [...unpacked.files.keys()] : [];
};

test('a theme in a folder is unpacked without it', async () => {
  const archive = await archiveOf({ 'studio/theme.json': '{}', 'studio/assets/a.css': 'a', '__MACOSX/studio/x': '', 'studio/.DS_Store': '' });
  expect(await names(archive)).toEqual(['theme.json', 'assets/a.css']);
});

test('an archive is unpacked to what was packed', async () => {
  const packed = packTheme([{ path: 'theme.json', updatedAt: new Date(), open: () => Readable.from([Buffer.from('你好')]) }]);
  const unpacked = await unpackTheme(await buffer(packed));
  expect('files' in unpacked && String(unpacked.files.get('theme.json'))).toBe('你好');
});

test('a stream that fails ends the archive with its error', async () => {
  const broken = () =>
    new Readable({
      read() {
        this.destroy(new Error('lost'));
      },
    });
  await expect(buffer(packTheme([{ path: 'theme.json', updatedAt: new Date(), open: broken }]))).rejects.toThrow('lost');
});

/** Replaces the name of the only file, which has the same length, in both of its headers. */
const renamed = (archive: Buffer, from: string, to: string): Buffer => Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

test.each(['../../etc/a', '/etc/passwd', '..\\..\\ab/a', 'assets/.a/c'])('the name %s is refused', async (name) => {
  const usual = `assets/${'x'.repeat(name.length - 7)}`;
  expect(await codes(renamed(await archiveOf({ [usual]: 'x' }), usual, name))).toEqual(['path']);
});

test('links, encrypted files and paths that differ by case are refused', async () => {
  expect(await codes(await archiveOf({ 'assets/a.css': 'theme.json' }, 0o120777))).toEqual(['path']);
  expect(await codes(await archiveOf({ 'assets/a.css': '', 'assets/A.css': '' }))).toEqual(['path']);
  const encrypted = await archiveOf({ 'assets/a.css': 'x' });
  encrypted.writeUInt16LE(encrypted.readUInt16LE(encrypted.indexOf('PK\u0001\u0002') + 8) | 1, encrypted.indexOf('PK\u0001\u0002') + 8);
  expect(await codes(encrypted)).toEqual(['path']);
});

test('too many or too large files are refused before anything is unpacked', async () => {
  const many = Object.fromEntries(Array.from({ length: themeLimits.files + 1 }, (_, n) => [`assets/${n}.css`, '']));
  expect(await codes(await archiveOf(many))).toEqual(['too_many']);
  expect(await codes(await archiveOf({ 'assets/a.css': Buffer.alloc(themeLimits.fileBytes + 1, 'x') }))).toEqual(['too_large']);
  expect(await codes(await archiveOf({ 'assets/a.css': Buffer.alloc(1_000_000) }))).toEqual(['too_large']);
});

test('a size that is stated falsely is found while unpacking', async () => {
  const archive = await archiveOf({ 'assets/a.css': Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 251)) });
  const directory = archive.indexOf('PK\u0001\u0002');
  archive.writeUInt32LE(10, directory + 24);
  expect(await codes(archive)).toEqual(['not_a_zip']);
});

test('other files and incomplete archives are refused', async () => {
  const archive = await archiveOf({ 'theme.json': '{}' });
  expect([await codes(Buffer.from('hello')), await codes(archive.subarray(0, archive.length - 8)), await codes(Buffer.alloc(0))]).toEqual([
    ['not_a_zip'],
    ['not_a_zip'],
    ['not_a_zip'],
  ]);
});
