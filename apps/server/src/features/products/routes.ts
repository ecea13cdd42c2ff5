import * as info from '@ithings/contract/features/products.ts'
import * as secrets from '@ithings/contract/features/secrets.ts'
import * as schema from '@ithings/contract/features/thing-model.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createProduct } from './create-product.ts'
import { deleteProduct } from './delete-product.ts'
import { listProducts } from './list-products.ts'
import { readProductSecret, rotateProductSecret } from './product-secret.ts'
import type { ProductsDeps } from './products-deps.ts'
import { readProduct } from './read-product.ts'
import { customRoutes } from './scripts/routes.ts'
import { createFunction, deleteFunction, updateFunction } from './thing-model/edit-functions.ts'
import { listFunctions } from './thing-model/list-functions.ts'
import { listReferences } from './thing-model/list-references.ts'
import { exportTsl, importTsl } from './thing-model/tsl.ts'
import { listVersions, readVersion, restoreVersion } from './thing-model/versions.ts'
import { updateProduct } from './update-product.ts'

export const productsRoutes = (deps: ProductsDeps): MountedEndpoint[] => [
  on(info.createProduct, (input) => createProduct(deps, input)),
  on(info.updateProduct, (input) => updateProduct(deps, input)),
  on(info.deleteProduct, (input) => deleteProduct(deps, input)),
  on(info.listProducts, (input) => listProducts(deps, input)),
  on(info.readProduct, (input, ctx) => readProduct(deps, input, ctx.user)),
  on(secrets.readProductSecret, (input) => readProductSecret(deps, input)),
  on(secrets.rotateProductSecret, (input) => rotateProductSecret(deps, input)),
  on(schema.createSchema, (input, ctx) => createFunction(deps, input, ctx.user)),
  on(schema.updateSchema, (input, ctx) => updateFunction(deps, input, ctx.user)),
  on(schema.deleteSchema, (input, ctx) => deleteFunction(deps, input, ctx.user)),
  on(schema.listSchema, (input) => listFunctions(deps.db, input)),
  on(schema.importTsl, (input, ctx) => importTsl(deps, input, ctx.user)),
  on(schema.readTsl, (input) => exportTsl(deps.db, input)),
  on(schema.listSchemaVersions, (input) => listVersions(deps.db, input)),
  on(schema.readSchemaVersion, (input) => readVersion(deps.db, input)),
  on(schema.restoreSchemaVersion, (input, ctx) => restoreVersion(deps, input, ctx.user)),
  on(schema.listSchemaReferences, (input) => listReferences(deps, input)),
  ...customRoutes(deps),
]
