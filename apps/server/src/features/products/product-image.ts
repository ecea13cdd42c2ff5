import { fileLink, takeUpload } from '#features/files/door.ts'
import type { ProductsKit } from './products-kit.ts'

const scene = 'productManage/productImg'

/** http-api.md 2.8: the path of an upload becomes a file of this product alone. */
export const takeImage = async (kit: ProductsKit, path: string | undefined): Promise<string> =>
  path ? takeUpload(kit.files, scene, path) : ''

export const imageLink = (kit: ProductsKit, path: string): string => fileLink(kit.files, path)

export async function removeImage(kit: ProductsKit, path: string): Promise<void> {
  if (path !== '') await kit.files.files.remove(path)
}
