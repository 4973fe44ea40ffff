import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A zip archive, as archivers write it (APPNOTE 4.3). */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const sums = Buffer.alloc(16);
    sums.writeUInt32LE(crc32(data), 4);
    sums.writeUInt32LE(packed.length, 8);
    sums.writeUInt32LE(data.length, 12);
    const names = Buffer.alloc(4);
    names.writeUInt16LE(Buffer.byteLength(name), 0);
    // The flag marks names as UTF-8.
    const head = Buffer.from([20, 0, 0, 8, 8, 0]);
    const entry = Buffer.concat([head, sums, names, Buffer.from(name), packed]);
    local.push(Buffer.from('PK\u0003\u0004', 'latin1'), entry);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), head, sums, names, place, Buffer.from(name));
    offset += 4 + entry.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

/** The files of a zip archive as texts, by name. */
export const textsIn = (archive: Buffer): Map<string, string> => new Map([...contentsIn(archive)].map(([name, content]) => [name, content.toString()]));

/** The files of a zip archive, by name, from its central directory. */
export function contentsIn(archive: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < count; entry += 1) {
    const [packed, name, extra, comment] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
    ];
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const data = archive.subarray(begin, begin + packed);
    const isPacked = archive.readUInt16LE(at + 10) === 8;
    contents.set(archive.toString('utf8', at + 46, at + 46 + name), isPacked ? inflateRawSync(data) : data);
    at += 46 + name + extra + comment;
  }
  return contents;
}
