/**
 * Finds texts that no English reader would understand (docs/design/language.md): Chinese in the code that does not go
 * through `t`, texts without a translation or with one that comes too late, and translations that nothing uses.
 * `--missing ROOM` prints what is missing; `--settle` moves texts to the catalogue in which they come in time and not too
 * early.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { chinese, readStanding, readTexts } from './text-reader.mjs'
import { allCatalogues, readVisits } from './text-rooms.mjs'

const product = (path) => /\.tsx?$/.test(path) && !/\.test\.|\/testing\/|\.d\.ts$/.test(path)

/** What cannot ask for a text. */
const standing = (path) => /\.(css|html|svg|webmanifest)$/.test(path) && !/\/testing\//.test(path)

const console_ = 'apps/console/src'
const contract = 'packages/contract/src'
const server = 'apps/server/src'
const demo = `${server}/features/demo`
const simulator = 'apps/simulator/src'
const cli = 'apps/cli/src'
/** Both languages side by side: virtual devices speak that of their product, whoever runs them. */
const deviceWords = `${simulator}/device-words.ts`
/** Names of endpoints in English: the server says them in refusals, the command line in its help, the console never. */
const apiNames = `${contract}/en-names.json`
/** Rooms that most screens share: what the first ones show comes with the frame, the rest with whoever shows it. */
const shared = [contract, `${console_}/kit`, `${console_}/blocks`]

/** @param {string} path */
function roomOf(path) {
  // Names of the demo fleet are no words of the product.
  if (/^apps\/server\/src\/features\/demo\/(fleet|make)\//.test(path)) return demo
  // The server says the errors of the catalogue.
  if (path === `${contract}/errors.ts`) return server
  const feature = /^apps\/console\/src\/features\/[^/]+/.exec(path)
  return (
    feature?.[0] ??
    /^(apps\/console\/src\/[^/]+|packages\/contract\/src|apps\/(?:server|simulator|cli)\/src)/.exec(path)?.[0]
  )
}

/** @param {string} root @param {string} folder @returns {string[]} */
const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))

const isOfConsole = (file) => file.startsWith(console_) || file.startsWith(contract)

/** A text of a catalogue may be a second form of the one that stands in the code: `…_one`, `…_session`. */
const shows = (keys, text) => keys.has(text) || keys.has(text.replace(/(_[a-z]+)?(_one)?$/, ''))

/** The page of the console, and what lies beside it as it is. */
const outsideOfRooms = (root) =>
  ['apps/console', 'apps/console/public'].flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [],
  )

/** @param {string} root */
function readProduct(root) {
  const faults = []
  /** @type {Map<string, Set<string>>} of each file */
  const keys = new Map()
  const names = new Set()
  const files = [contract, console_, server, simulator, cli].flatMap((folder) => filesIn(root, folder))
  for (const path of [...files, ...outsideOfRooms(root)].filter(standing))
    faults.push(...readStanding(path, readFileSync(join(root, path), 'utf8')))
  for (const path of files.filter((one) => product(one) && one !== deviceWords)) {
    const read = readTexts(path, readFileSync(join(root, path), 'utf8'))
    faults.push(...read.faults)
    keys.set(path, new Set(read.keys))
    for (const name of read.names) names.add(name)
  }
  const catalogues = new Map()
  for (const file of [...allCatalogues(root), ...[server, demo, simulator, cli].map((room) => `${room}/en.json`)])
    catalogues.set(file, existsSync(join(root, file)) ? JSON.parse(readFileSync(join(root, file), 'utf8')) : {})
  // What the server says is no text of the console.
  const keysOf = (path) => (roomOf(path) === server ? new Set() : (keys.get(path) ?? new Set()))
  const visits = readVisits(root).map(({ entry, modules, catalogues }) => ({
    entry,
    catalogues,
    keys: new Map([...modules].flatMap((path) => [...keysOf(path)].map((key) => [key, path]))),
  }))
  return { faults, keys, names, catalogues, visits }
}

/** Texts of programs without a page, which have theirs and those of the contract all at once. */
function checkServer({ keys, names, catalogues }, missing) {
  const lies = (room) => [...catalogues].filter(([file]) => file.startsWith(`${room}/en`)).map(([, texts]) => texts)
  const reads = Object.fromEntries(
    [demo, contract, server, simulator, cli].map((room) => [
      room,
      [...lies(room), ...(room === demo ? [] : lies(contract))],
    ]),
  )
  const rooms = { [demo]: [], [contract]: [], [server]: names, [simulator]: [], [cli]: names }
  const used = Object.fromEntries(Object.entries(rooms).map(([room, first]) => [room, new Set(first)]))
  for (const [path, found] of keys) for (const key of found) used[roomOf(path) ?? '']?.add(key)
  for (const [room, found] of Object.entries(used))
    missing.set(
      room,
      [...found].filter((key) => !reads[room]?.some((texts) => key in texts)),
    )
  return used
}

/** Whatever the console shows has its translation when it is shown. */
function checkConsole({ catalogues, visits }, missing, faults) {
  for (const { entry, keys, catalogues: fetched } of visits)
    for (const [key, path] of keys) {
      // Labels and refusals of the contract are said by what stands in the frame.
      if (path.startsWith(contract) && !fetched.has(`${contract}/en.json`)) continue
      if ([...fetched].some((file) => key in (catalogues.get(file) ?? {}))) continue
      const late = [...catalogues].find(([file, texts]) => isOfConsole(file) && key in texts)
      const room = roomOf(path) ?? ''
      if (late) faults.add(`${entry} shows ${JSON.stringify(key)} of ${path}, and nothing fetches ${late[0]} for it`)
      else missing.set(room, [...new Set([...(missing.get(room) ?? []), key])])
    }
}

/** Which texts of a shared room something shows that does not wait for the second catalogue of the room. */
function earlyOf(room, { visits, catalogues }) {
  const early = new Set()
  const [first, second] = [`${room}/en.json`, `${room}/en-later.json`]
  const after = shared.slice(shared.indexOf(room)).flatMap((one) => [`${one}/en.json`, `${one}/en-later.json`])
  for (const { keys, catalogues: fetched } of visits) {
    if (!fetched.has(first) || fetched.has(second)) continue
    const others = [...fetched].filter((file) => !after.includes(file)).map((file) => catalogues.get(file) ?? {})
    for (const key of keys.keys()) if (!others.some((texts) => key in texts)) early.add(key)
  }
  return early
}

/** Texts that another catalogue has, too, which is there whenever the first one is. */
function findTwice({ catalogues, visits }) {
  const files = [...catalogues.keys()].filter(isOfConsole)
  const fetchedBy = (file) => visits.filter((visit) => visit.catalogues.has(file))
  const rank = (file) => shared.indexOf(file.slice(0, file.lastIndexOf('/')))
  const isThere = (other, file) => fetchedBy(file).every((visit) => visit.catalogues.has(other))
  /** Of two that always come together one is kept. */
  const isKept = (other, file) => !isThere(file, other) || rank(other) < rank(file)
  return files.flatMap((file) =>
    files
      // The server has those of the contract alone.
      .filter((other) => other !== file && (!file.startsWith(contract) || other.startsWith(contract)))
      .filter((other) => fetchedBy(file).length > 0 && isThere(other, file) && isKept(other, file))
      .flatMap((other) =>
        Object.keys(catalogues.get(file))
          .filter((key) => key in catalogues.get(other))
          .map((key) => ({ file, other, key })),
      ),
  )
}

/** Texts that lie in vain, twice, or where they are fetched for nothing. */
function checkCatalogues({ catalogues, visits }, used, faults) {
  const unused = []
  const whereFetched = (file) => visits.filter((visit) => visit.catalogues.has(file))
  const ofPrograms = new Set([server, simulator, cli, contract].flatMap((room) => [...used[room]]))
  for (const [file, texts] of catalogues) {
    const room = file.slice(0, file.lastIndexOf('/'))
    const shown = room in used && room !== contract ? [used[room]] : whereFetched(file).map((visit) => visit.keys)
    if (room === contract) shown.push(ofPrograms)
    // A name that is none of Chinese may have other forms, too: one Topic, several Topics.
    for (const key of Object.keys(texts).filter((one) => chinese.test(one)))
      if (!shown.some((one) => shows(one, key))) unused.push(`${file}: ${key}`)
  }
  for (const { file, other, key } of findTwice({ catalogues, visits }))
    faults.add(`${file}: ${key} is in ${other}, too (--settle)`)
  for (const room of shared.filter((one) => catalogues.has(`${one}/en-later.json`))) {
    const early = earlyOf(room, { visits, catalogues })
    for (const key of Object.keys(catalogues.get(`${room}/en.json`)))
      if (!shows(early, key)) faults.add(`${room}/en.json: ${key} is fetched too early (--settle)`)
  }
  // Each program reads its own catalogues and that of the contract as one.
  for (const program of [console_, `${server}/en`, simulator, cli]) {
    const said = new Map()
    for (const [file, texts] of [...catalogues].filter(
      ([name]) =>
        name.startsWith(program) || (name.startsWith(contract) && (program !== console_ || name !== apiNames)),
    )) {
      for (const [key, text] of Object.entries(texts)) {
        const other = said.get(key) ?? text
        if (other !== text) faults.add(`${file}: ${key} is "${other}" elsewhere`)
        said.set(key, other)
      }
    }
  }
  return unused
}

/** @param {string} root */
export function checkTexts(root) {
  const product = readProduct(root)
  const faults = new Set(product.faults)
  const missing = new Map()
  const used = checkServer(product, missing)
  checkConsole(product, missing, faults)
  const unused = checkCatalogues(product, used, faults)
  const all = new Set([...product.keys].flatMap(([path, keys]) => [...keys].map((key) => `${roomOf(path)} ${key}`)))
  return { faults: [...faults], missing, unused, texts: all.size }
}

/** Moves texts of the shared rooms to the one of their two catalogues in which they belong, and leaves none twice. */
export function settleTexts(root) {
  const product = readProduct(root)
  const { catalogues } = product
  for (const room of shared) {
    const early = earlyOf(room, product)
    const [first, second] = [`${room}/en.json`, `${room}/en-later.json`]
    const all = Object.entries({ ...catalogues.get(first), ...catalogues.get(second) })
    catalogues.set(first, Object.fromEntries(all.filter(([key]) => shows(early, key))))
    catalogues.set(second, Object.fromEntries(all.filter(([key]) => !shows(early, key))))
  }
  const [said, named] = [catalogues.get(`${server}/en.json`), catalogues.get(apiNames) ?? {}]
  for (const name of product.names) if (name in said) named[name] = said[name]
  for (const name of product.names) delete said[name]
  for (const { file, key } of findTwice(product)) delete catalogues.get(file)[key]
  for (const [file, texts] of catalogues)
    if (isOfConsole(file) || file === `${server}/en.json`)
      writeFileSync(join(root, file), `${JSON.stringify(texts, undefined, 2)}\n`)
}

function main() {
  const root = join(import.meta.dirname, '..')
  if (process.argv.includes('--settle')) settleTexts(root)
  const { faults, missing, unused, texts } = checkTexts(root)
  const room = process.argv[process.argv.indexOf('--missing') + 1]
  if (process.argv.includes('--missing')) {
    const found = [...missing].filter(([name]) => name.endsWith(room)).flatMap(([, keys]) => keys)
    console.log(JSON.stringify(Object.fromEntries(found.map((key) => [key, ''])), undefined, 2))
    return
  }
  for (const fault of faults) console.error(fault)
  for (const [name, keys] of missing)
    for (const key of keys) console.error(`${name}/en.json lacks ${JSON.stringify(key)}`)
  for (const key of unused) console.error(`nothing shows ${key}`)
  const count = faults.length + unused.length + [...missing.values()].flat().length
  console.log(`${texts} texts, ${count} of them not in order`)
  process.exitCode = count > 0 ? 1 : 0
}

if (import.meta.main) main()
