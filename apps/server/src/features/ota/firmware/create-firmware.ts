/** A package: uploads are copied, hashed, compared, and only then belong to a product (http-api.md 7). */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import {
  type createFirmware as endpoint,
  firmwareLimits,
  PackageKind,
} from '@ithings/contract/features/ota/firmware.ts'
import { phrase } from '@ithings/contract/text.ts'
import { inWords } from '#db/conflicts.ts'
import { copyUpload, dropUpload, sizeOfUpload } from '#features/files/door.ts'
import type { StoredCopy } from '#ports/files.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { checkSignature, findKey, requireSignatures } from './signing-key.ts'
import { requireProduct } from './store.ts'

type Input = BodyOutput<typeof endpoint>
type GivenFile = Input['files'][number]
interface Taken {
  given: GivenFile
  copy: StoredCopy
}

const scene = 'productManage/ota'

const sourceOf = ({ isDiff, srcVersion }: Input): string => (isDiff === PackageKind.diff ? (srcVersion ?? '') : '')

function duplicate(input: Input, cause?: unknown): AppError {
  const { version } = input
  return new AppError(errors.duplicate, {
    msg:
      input.isDiff === PackageKind.diff
        ? phrase('该产品的模块已有版本 {version} 的自 {from} 的差分包', { version, from: sourceOf(input) })
        : phrase('该产品的模块已有版本 {version} 的整包', { version }),
    field: 'version',
    cause,
  })
}

/** Everything that can be refused before a large file is copied. */
async function checkBefore({ db, files }: FirmwareDeps, input: Input): Promise<void> {
  await requireProduct(db, input.productID)
  requireSignatures(await findKey(db, input.productID), input.files)
  const same = await db
    .selectFrom('firmware')
    .select('firmware_id')
    .where('product_id', '=', input.productID)
    .where('module', '=', input.module)
    .where('version', '=', input.version)
    .where('is_diff', '=', input.isDiff)
    .where('src_version', '=', sourceOf(input))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (same) throw duplicate(input)
  let bytes = 0
  for (const { filePath } of input.files) bytes += await sizeOfUpload(files, scene, filePath)
  if (bytes > firmwareLimits.bytes) {
    throw new AppError(errors.outOfRange, {
      msg: phrase('升级包文件合计不能超过 {megabytes} MB', { megabytes: firmwareLimits.bytes / 1024 / 1024 }),
      field: 'files',
    })
  }
}

function compare({ name, md5, sha256 }: GivenFile, copy: StoredCopy): void {
  const differs = (given: string | undefined, found: string) => given && given.toLowerCase() !== found
  const method = differs(md5, copy.md5) ? 'MD5' : differs(sha256, copy.sha256) ? 'SHA-256' : undefined
  if (!method) return
  throw badField('files', '文件 {name} 的 {method} 与平台收到的不一致，请重新上传', { name, method })
}

async function store(
  { db: pool }: FirmwareDeps,
  input: Input,
  taken: readonly Taken[],
  userName: string,
): Promise<number> {
  return pool.transaction().execute(async (db) => {
    // The key of now counts, also when it came while files were copied.
    const key = await findKey(db, input.productID)
    for (const { given, copy } of taken) checkSignature(key, given.name, copy.sha256, given.signature)
    const { firmware_id } = await db
      .insertInto('firmware')
      .values({
        product_id: input.productID,
        name: input.name,
        version: input.version,
        module: input.module,
        is_diff: input.isDiff,
        src_version: sourceOf(input),
        sign_method: input.signMethod,
        description: input.desc ?? '',
        ext_data: input.extData ?? '',
        size: taken.reduce((sum, { copy }) => sum + copy.size, 0),
        user_name: userName,
      })
      .returning('firmware_id')
      .executeTakeFirstOrThrow()
    const rows = taken.map(({ given: { name, signature }, copy: { path, size, md5, sha256 } }) => ({
      firmware_id,
      path,
      name,
      size,
      md5,
      sha256,
      ed25519: key === '' ? '' : (signature ?? ''),
    }))
    await db.insertInto('firmware_file').values(rows).execute()
    return firmware_id
  })
}

/** Also whether the product is still there. */
const nameConflicts = <T>(input: Input, work: Promise<T>): Promise<T> =>
  inWords(work, {
    firmware_version: (cause) => duplicate(input, cause),
    firmware_product_id_fkey: (cause) =>
      refusal(errors.notFound, '产品 {productID} 不存在', { productID: input.productID }, { cause }),
  })

/** The copies of a package that came to nothing go; the uploads stay, so that nothing large is sent twice. */
async function keepCopies(deps: FirmwareDeps, input: Input, userName: string): Promise<number> {
  const taken: Taken[] = []
  try {
    for (const given of input.files) {
      const copy = await copyUpload(deps.files, scene, given.filePath)
      taken.push({ given, copy })
      compare(given, copy)
    }
    return await nameConflicts(input, store(deps, input, taken, userName))
  } catch (error) {
    for (const { copy } of taken) await deps.files.files.remove(copy.path)
    throw error
  }
}

export async function createFirmware(deps: FirmwareDeps, input: Input, userName: string) {
  await checkBefore(deps, input)
  const firmwareID = await keepCopies(deps, input, userName)
  // The package stands from here on: uploads that cannot be removed now go with the cleaning.
  for (const { filePath } of input.files) await dropUpload(deps.files, filePath).catch(() => undefined)
  return { firmwareID }
}
