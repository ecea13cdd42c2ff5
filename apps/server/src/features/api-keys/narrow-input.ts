/**
 * Keeps a key within its product or its group: by what the body of a call names. What does not say which product or
 * devices it concerns is refused.
 */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { cancelJob, exportList, readJob } from '@ithings/contract/features/jobs.ts'
import { applyConfig, createPlan, exportConfig, previewConfig } from '@ithings/contract/features/plans.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { promQuery } from '@ithings/contract/features/prom.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '#db/schema.ts'
import type { ApiKeyTable } from '#db/tables/api-keys.ts'
import { groupWithChildren } from '#features/devices/door.ts'

type Limits = Pick<Selectable<ApiKeyTable>, 'product_id' | 'group_id'>
type Input = Record<string, unknown>

/** Lists that hold only what their filter names. */
const filtered = new Set([listDevices.path, countDevices.path, promQuery.path])

/** An export asks a list, which is narrowed itself; a key sees no other jobs than those that it began (manage-jobs.ts). */
const ownJobs = new Set([exportList.path, readJob.path, cancelJob.path])

/** These ask for the right to each object that they touch by themselves, within the limits of the key. */
const byObject = new Set([exportConfig.path, previewConfig.path, applyConfig.path, createPlan.path])

const fieldsOf = (body: z.ZodType): Record<string, z.ZodType> => {
  const { shape, def } = body as { shape?: Record<string, z.ZodType>; def?: { in?: z.ZodType } }
  return shape ?? (def?.in ? fieldsOf(def.in) : {})
}

/** It acts on one product, which the caller must name. */
const namesProduct = ({ body, path }: Endpoint): boolean => {
  const field = fieldsOf(body).productID
  return field !== undefined && path !== createProduct.path && !field.isOptional()
}

/** Whether there is a call of it that a key with these limits may make: what is refused whatever it names is not offered. */
export function reaches({ product_id, group_id }: Limits, endpoint: Endpoint): boolean {
  const { path, body } = endpoint
  if (ownJobs.has(path) || filtered.has(path)) return true
  if (product_id === '' && group_id === 0) return true
  const { deviceName, deviceNames } = fieldsOf(body)
  return namesProduct(endpoint) && (group_id === 0 || deviceName !== undefined || deviceNames !== undefined)
}

const outside = (endpoint: Endpoint) =>
  refusal(errors.permission, '这个密钥只限一个产品或分组，不能调用「{name}」', { name: phrase(endpoint.name) })
const foreign = () => refusal(errors.permission, '不在这个密钥限定的产品或分组之内')

function withinProduct(endpoint: Endpoint, input: Input, productID: string): Input {
  if (!filtered.has(endpoint.path) && !namesProduct(endpoint)) throw outside(endpoint)
  const named = [input.productID, ...((input.productIDs as unknown[] | undefined) ?? [])]
  if (named.some((one) => one !== undefined && one !== '' && one !== productID)) throw foreign()
  return { ...input, productID }
}

async function withinGroup(db: Db, endpoint: Endpoint, input: Input, groupID: number): Promise<Input> {
  if (filtered.has(endpoint.path)) {
    const { inGroupID = groupID } = input as { inGroupID?: number }
    const groups = await groupWithChildren(db, groupID)
    if (!groups.includes(inGroupID)) throw foreign()
    return { ...input, inGroupID, includeChildren: true }
  }
  const names = [input.deviceName, ...((input.deviceNames as unknown[] | undefined) ?? [])].filter(Boolean)
  if (!namesProduct(endpoint) || names.length === 0 || input.groupID) throw outside(endpoint)
  const { rows } = await sql<{ found: number }>`
    select count(distinct device_name)::integer as found from device join group_device using (device_id)
    where product_id = ${input.productID} and device_name = any(${names}::text[])
      and group_device.group_id = any(${await groupWithChildren(db, groupID)}::bigint[])`.execute(db)
  if (rows[0]?.found !== new Set(names).size) throw foreign()
  return input
}

/** @returns what the call may ask for */
export async function narrowInput(db: Db, endpoint: Endpoint, input: unknown, key: Limits): Promise<unknown> {
  if (ownJobs.has(endpoint.path) || byObject.has(endpoint.path)) return input
  if (key.product_id !== '') return withinProduct(endpoint, input as Input, key.product_id)
  return key.group_id === 0 ? input : withinGroup(db, endpoint, input as Input, key.group_id)
}
