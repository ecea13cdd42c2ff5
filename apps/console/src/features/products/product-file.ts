/** A file of products with their thing models, as an export writes it; read-product-file.ts reads it again. Pure. */

import type { createProductBody, Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'

/** Readers refuse what is not ours instead of guessing. */
export const productFormat = 'ithings-products'

export type NewProduct = z.input<typeof createProductBody>

/** What belongs to the product itself: no secret, no counts, no picture (its link expires). */
export function infoOf(product: Product): NewProduct {
  const { productID, productName, authMode, deviceType, netType, dataProto, autoRegister } = product
  const { categoryID, dialect, valueDays, logDays, desc, tags } = product
  return {
    productID,
    productName,
    authMode,
    deviceType,
    netType,
    dataProto,
    autoRegister,
    categoryID,
    dialect,
    valueDays,
    logDays,
    desc,
    tags,
  }
}

export interface PackedProduct {
  product: Product
  /** Text of tsl.json. */
  tsl: string
}

export const packProducts = (packed: readonly PackedProduct[]): string =>
  JSON.stringify(
    {
      format: productFormat,
      products: packed.map(({ product, tsl }) => ({ ...infoOf(product), tsl: JSON.parse(tsl) as unknown })),
    },
    null,
    2,
  )

const copyEnding = '-副本'
const longestName = 64

/** A name for the copy within the limit of the contract. */
export function copyName(name: string): string {
  const ending = t(copyEnding)
  return name.slice(0, longestName - ending.length) + ending
}

/** Safe as a file name on every system. */
export const fileNameOf = (name: string): string => name.replace(/[\\/:*?"<>|\s]+/g, '_').slice(0, 80)
