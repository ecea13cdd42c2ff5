import * as info from '@ithings/contract/features/products/info.ts'
import * as schema from '@ithings/contract/features/products/schema.ts'
import * as secrets from '@ithings/contract/features/secrets.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createProduct } from './create-product.ts'
import { customRoutes } from './custom/routes.ts'
import { deleteProduct } from './delete-product.ts'
import { listProducts } from './list-products.ts'
import { readProductSecret, rotateProductSecret } from './product-secret.ts'
import type { ProductsKit } from './products-kit.ts'
import { readProduct } from './read-product.ts'
import { createFunction, deleteFunction, updateFunction } from './schema/edit-functions.ts'
import { listFunctions } from './schema/list-functions.ts'
import { listReferences } from './schema/list-references.ts'
import { exportTsl, importTsl } from './schema/tsl.ts'
import { listVersions, readVersion, restoreVersion } from './schema/versions.ts'
import { updateProduct } from './update-product.ts'

export const productsRoutes = (kit: ProductsKit): MountedEndpoint[] => [
  on(info.createProduct, (input) => createProduct(kit, input)),
  on(info.updateProduct, (input) => updateProduct(kit, input)),
  on(info.deleteProduct, (input) => deleteProduct(kit, input)),
  on(info.listProducts, (input) => listProducts(kit, input)),
  on(info.readProduct, (input, ctx) => readProduct(kit, input, ctx.user)),
  on(secrets.readProductSecret, (input) => readProductSecret(kit, input)),
  on(secrets.rotateProductSecret, (input) => rotateProductSecret(kit, input)),
  on(schema.createSchema, (input, ctx) => createFunction(kit, input, ctx.user)),
  on(schema.updateSchema, (input, ctx) => updateFunction(kit, input, ctx.user)),
  on(schema.deleteSchema, (input, ctx) => deleteFunction(kit, input, ctx.user)),
  on(schema.listSchema, (input) => listFunctions(kit.db, input)),
  on(schema.importTsl, (input, ctx) => importTsl(kit, input, ctx.user)),
  on(schema.readTsl, (input) => exportTsl(kit.db, input)),
  on(schema.listSchemaVersions, (input) => listVersions(kit.db, input)),
  on(schema.readSchemaVersion, (input) => readVersion(kit.db, input)),
  on(schema.restoreSchemaVersion, (input, ctx) => restoreVersion(kit, input, ctx.user)),
  on(schema.listSchemaReferences, (input) => listReferences(kit, input)),
  ...customRoutes(kit),
]
