export type { FindReferences, ModelReference, ModelReferences } from './model-references.ts'
export { loadModel } from './schema/model-store.ts'
export { findProduct, type ProductRow, productNames, requireProduct } from './store.ts'
