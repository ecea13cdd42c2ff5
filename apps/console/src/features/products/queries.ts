import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { uploadFile } from '@ithings/contract/features/files.ts'
import {
  createProduct,
  deleteProduct,
  listProducts,
  type Product,
  readProduct,
  updateProduct,
} from '@ithings/contract/features/products.ts'
import { importTsl, readTsl } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { upload } from '#api/upload.ts'
import { readAgain, thenReadAgain } from '#api/use-change.ts'
import { placeOf } from '#blocks/upload-rules.ts'
import { useMemo } from '#language/use-memo.ts'
import { infoOf, type NewProduct } from './product-file.ts'

export const productsQuery = (body: BodyInput<typeof listProducts>) => endpointQuery(listProducts, body)

export const productQuery = (productID: string) =>
  queryOptions({
    queryKey: [readProduct.path, { productID }],
    queryFn: ({ signal }) => call(readProduct, { productID, withSecret: false }, { quiet: true, signal }),
  })

export const deviceCountQuery = (productID: string) => endpointQuery(countDevices, { productID }, { quiet: true })

/** The ten that were added last. */
export const newestDevicesQuery = (productID: string) => {
  const body = { productID, page: { page: 1, size: 10, orders: [{ field: 'createdTime', sort: 2 }] } }
  return endpointQuery(listDevices, body, { quiet: true })
}

/** Tags of the products that were listed so far: suggestions for the filter. */
export const seenTags = (client: QueryClient) =>
  client
    .getQueriesData<{ list?: Product[] }>({ queryKey: [listProducts.path] })
    .flatMap(([, data]) => data?.list?.flatMap((product) => product.tags ?? []) ?? [])

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

const fetchTsl = async (productID: string) => (await call(readTsl, { productID }, quiet)).tsl

/** The picture of a product belongs to it alone, so a copy gets its own. */
async function copyImage(link: string): Promise<string> {
  const answer = await fetch(link)
  if (!answer.ok) throw new Error(t('产品图片读取失败（{status}）', { status: answer.status }))
  const picture = await answer.blob()
  const name = `copy.${picture.type.split('/')[1] ?? 'png'}`
  const file = new File([picture], name, { type: picture.type })
  return (await upload(uploadFile, file, placeOf('productManage/productImg', name))).filePath
}

async function createWithModel(info: NewProduct, tsl: string): Promise<string> {
  const { productID } = await call(createProduct, info, quiet)
  try {
    await call(importTsl, { productID, tsl }, quiet)
  } catch (error) {
    // Half a product would only be in the way of the next try.
    await call(deleteProduct, { productID }, quiet)
    throw error
  }
  return productID
}

async function copyProduct(source: Product, productName: string): Promise<string> {
  const [tsl, productImg] = await Promise.all([
    fetchTsl(source.productID),
    source.productImg ? copyImage(source.productImg) : '',
  ])
  const { productID: _, ...info } = infoOf(source)
  return createWithModel({ ...info, productName, productImg }, tsl)
}

/** What changes products; lists and details are read again afterwards. */
export function useProductWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const touched = [listProducts, readProduct, readTsl]
    const refresh = () => readAgain(client, touched)
    const then = <T>(work: Promise<T>) => thenReadAgain(work, client, touched)
    return {
      refresh,
      create: (body: BodyInput<typeof createProduct>) => then(call(createProduct, body, quiet)),
      update: (body: BodyInput<typeof updateProduct>) => then(call(updateProduct, body, quiet)),
      copy: (source: Product, name: string) => then(copyProduct(source, name)),
      createWithModel,
      // A deleted product's own page must not be asked for again, so only the list is.
      remove: async (productID: string) => {
        await call(deleteProduct, { productID }, quiet)
        await client.invalidateQueries({ queryKey: [listProducts.path] })
      },
      tsl: fetchTsl,
      reread: (productID: string) => client.fetchQuery({ ...productQuery(productID), staleTime: 0 }),
    }
  }, [client])
}
