import { fileLink, takeUpload } from '#features/files/door.ts'
import type { ProductsDeps } from './products-deps.ts'

const scene = 'productManage/productImg'

/** http-api.md 2.8: the path of an upload becomes a file of this product alone. */
export const takeImage = async (deps: ProductsDeps, path: string | undefined): Promise<string> =>
  path ? takeUpload(deps.files, scene, path) : ''

export const imageLink = (deps: ProductsDeps, path: string): string => fileLink(deps.files, path)

export async function removeImage(deps: ProductsDeps, path: string): Promise<void> {
  if (path !== '') await deps.files.files.remove(path)
}
