import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, canEnter, pickAccount } from './account.ts'

/**
 * home holds cluster/ (PGDATA), password, socket/ and the log.
 * pointer is written once the cluster is made, when it could not be kept inside DATA_DIR.
 */
export type Place = { home: string; account: Account | undefined; made: boolean; pointer: string | undefined }

// A home appears whole (see makeCluster), and its folder may be looked into by any user, unlike the cluster's.
const madeIn = (home: string) =>
  stat(join(home, 'cluster')).then(
    () => true,
    () => false,
  )

/** An existing cluster is always found again; only a new one is placed by who may enter DATA_DIR. */
export async function choosePlace(dataDir: string, systemDir: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const root = await realpath(dataDir)
  const inside = join(root, 'postgres')
  if (await madeIn(inside)) {
    const account = await pickAccount(join(inside, 'cluster'))
    if (await canEnter(root, account)) return { home: inside, account, made: true, pointer: undefined }
    throw new Error(
      `The database in ${inside} cannot be reached by its owner (${account?.name}): check the folders above`,
    )
  }
  const pointer = join(root, 'postgres.location')
  const elsewhere = (await readFile(pointer, 'utf8').catch(() => '')).trim()
  if (elsewhere) {
    if (!(await madeIn(elsewhere))) {
      throw new Error(`The database of ${root} belongs in ${elsewhere} (says ${pointer}), but is not there`)
    }
    return { home: elsewhere, account: await pickAccount(join(elsewhere, 'cluster')), made: true, pointer: undefined }
  }
  const account = await pickAccount(undefined)
  if (await canEnter(root, account)) return { home: inside, account, made: false, pointer: undefined }
  await mkdir(systemDir, { recursive: true })
  await chmod(systemDir, 0o711)
  return { home: await freeHome(root, systemDir), account, made: false, pointer }
}

/** A DATA_DIR that was deleted and made again starts afresh; the old cluster is left alone under its old name. */
async function freeHome(root: string, systemDir: string): Promise<string> {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12)
  for (let n = 1; ; n++) {
    const home = join(systemDir, n === 1 ? hash : `${hash}-${n}`)
    if (!(await madeIn(home))) return home
  }
}

export async function rememberPlace(place: Place): Promise<void> {
  if (place.pointer) await writeFile(place.pointer, `${place.home}\n`)
}
