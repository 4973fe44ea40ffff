/**
 * `npm run lockfile`, after adding or updating a package. npm omits optional packages (native code for other platforms) from the lockfile when the registry in
 * use does not offer them, and `npm ci` then refuses the lockfile everywhere. This script adds them by name and exact version, so that every platform installs
 * the same packages; with --check it only reports whether any is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lockfile = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lockfile;

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

const added = [];
for (const [at, { optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isPresent(at, name)) continue;
    packages[`node_modules/${name}`] = { version, optional: true, ...platformOf(name) };
    added.push(`${name}@${version}`);
  }
}

if (added.length === 0) process.exit(0);
if (process.argv.includes('--check')) {
  console.error(`package-lock.json leaves out ${added.length} packages of other platforms (${added[0]}, …): run npm run lockfile`);
  process.exit(1);
}
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`Added ${added.length} packages of other platforms.`);

/** Resolves a package as Node does: from the folder of the dependent upwards. */
function isPresent(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}

/** Derives the platform from the package name: `@swc/core-linux-arm-gnueabihf`. A name without a platform would be installed everywhere, so it is refused. */
function platformOf(name) {
  const parts = name.split(/[/-]/);
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  const libc = parts.map((word) => libraries[word]).filter((library) => library !== undefined);
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name}: no platform in the name; add it to the lockfile by hand`);
  return { os, cpu, ...(os[0] === 'linux' && libc.length > 0 ? { libc } : {}) };
}
