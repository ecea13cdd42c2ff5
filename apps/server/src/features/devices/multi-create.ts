/** Many devices of one product at once; their secrets leave the platform in one file, for whoever may see them. */

import { Readable } from 'node:stream'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { multiCreateDevices as multiCreateEndpoint } from '@ithings/contract/features/devices/bulk.ts'
import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { open, places, seal } from '#db/sealed.ts'
import { makeSecret } from '#db/secrets.ts'
import { csvHead, csvLine, type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { announceDevices } from './announce-devices.ts'
import type { DevicesDeps } from './devices-deps.ts'

type Wish = BodyOutput<typeof multiCreateEndpoint>
interface Input extends Wish {
  /** As its starter's role was then; absent in jobs that older versions started. */
  showSecrets?: boolean
}

export const multiCreateKind = 'device.multi-create'
const batchSize = 500
const heads = ['产品ID', '设备名称', '设备密钥']
/** The result is read by people; the file of a longer list would help nobody. */
const namedFailures = 1_000

const nameOf = ({ prefix, start, digits }: Wish, n: number) => `${prefix}${String(start + n).padStart(digits, '0')}`

export async function startMultiCreate(deps: DevicesDeps, input: Wish, user: SignedInUser) {
  const product = await deps.db
    .selectFrom('product')
    .select('product_name')
    .where('product_id', '=', input.productID)
    .executeTakeFirst()
  if (!product)
    throw refusal(errors.notFound, '产品 {productID} 不存在', { productID: input.productID }, { field: 'productID' })
  const longest = nameOf(input, input.count - 1)
  if (!deviceNamePattern.test(longest)) {
    throw refusal(
      errors.outOfRange,
      '设备名称 {deviceName} 超过 48 个字符',
      { deviceName: longest },
      { field: 'prefix' },
    )
  }
  const jobID = await startJob(deps.jobs, {
    kind: multiCreateKind,
    title: kept('批量新增设备：{product}，{count} 台', { product: product.product_name, count: input.count }),
    input: { ...input, showSecrets: await deps.allows(user.role, readDeviceSecret) },
    total: input.count,
    user,
  })
  return { jobID }
}

/** Existing names are left alone: also those that an earlier try of this job made. */
async function insertBatch(db: Db, productID: string, names: string[], jobID: string): Promise<void> {
  const secrets = names.map((name) => seal(db, places.device(productID, name), makeSecret()))
  await sql`
    insert into device (product_id, device_name, secret, made_by)
    select ${productID}, name, secret, ${jobID}
    from unnest(${names}::text[], ${secrets}::text[]) as made (name, secret)
    on conflict (product_id, device_name) do nothing`.execute(db)
}

async function run({ db, signal }: DevicesDeps, { input, jobID, language, progress, keepFile }: JobContext<Input>) {
  const by = translatorOf(language)
  const names = Array.from({ length: input.count }, (_, n) => nameOf(input, n))
  for (let at = 0; at < names.length; at += batchSize) {
    await progress(at, names.length)
    await insertBatch(db, input.productID, names.slice(at, at + batchSize), jobID)
  }
  // Only what this job made: the secret of a device that was there before is nobody's business here.
  const made = await db
    .selectFrom('device')
    .select(['device_name', 'secret'])
    .where('made_by', '=', jobID)
    .orderBy('device_name')
    .execute()
  const { showSecrets = true } = input
  const secretOf = (name: string, stored: string) => open(db, places.device(input.productID, name), stored)
  const lines = made.map(({ device_name: name, secret }) =>
    csvLine([input.productID, name, showSecrets ? secretOf(name, secret) : '']),
  )
  await keepFile(
    `credentials-${input.productID}.csv`,
    Readable.from([csvHead(heads.map((head) => by(head))), ...lines]),
    { once: true },
  )
  await announceDevices(
    signal,
    made.map((row) => ({ productID: input.productID, deviceName: row.device_name })),
  )
  const own = new Set(made.map((row) => row.device_name))
  const failed = names.filter((name) => !own.has(name))
  return {
    total: names.length,
    success: made.length,
    failedCount: failed.length,
    failed: failed
      .slice(0, namedFailures)
      .map((deviceName) => ({ deviceName, msg: kept('设备名称重复:{deviceName}', { deviceName }) })),
  }
}

export const multiCreateJob = (deps: DevicesDeps): JobKind => ({
  kind: multiCreateKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
